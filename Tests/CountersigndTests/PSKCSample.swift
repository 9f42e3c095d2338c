import Cryptography

extension String {
    /// A document with one token of a user.
    static func pskc(with key: [UInt8], of user: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <KeyContainer Version="1.0" xmlns="urn:ietf:params:xml:ns:keyprov:pskc">
          <KeyPackage>
            <DeviceInfo><Manufacturer>oath.Example</Manufacturer><SerialNo>987</SerialNo></DeviceInfo>
            <Key Id="1" Algorithm="urn:ietf:params:xml:ns:keyprov:pskc:hotp">
              <AlgorithmParameters>
                <ResponseFormat Length="8" Encoding="DECIMAL"/>
              </AlgorithmParameters>
              <Data>
                <Secret><PlainValue>\(TextEncoding.base64.encode(key.span))</PlainValue></Secret>
                <Counter><PlainValue>42</PlainValue></Counter>
              </Data>
              <UserId>\(user)</UserId>
            </Key>
          </KeyPackage>
        </KeyContainer>

        """
    }
}
