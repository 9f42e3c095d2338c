import OneTimePassword
import OneTimePasswordFormats
import Testing

extension PSKCDocument {
    init(reading text: String, unlockedBy unlock: Unlock = .nothing) throws(ReadingFailure) {
        let bytes = Array(text.utf8)
        try self.init(reading: bytes.span, unlockedBy: unlock)
    }

    /// A document of one HOTP key; tests refer to its elements by line.
    static let sampleText = """
        <?xml version="1.0" encoding="UTF-8"?>
        <KeyContainer Version="1.0" Id="C1" xmlns="urn:ietf:params:xml:ns:keyprov:pskc">
        <KeyPackage>
        <DeviceInfo><Manufacturer>Maker</Manufacturer><SerialNo>42</SerialNo></DeviceInfo>
        <CryptoModuleInfo><Id>M1</Id></CryptoModuleInfo>
        <Key Id="K1" Algorithm="urn:ietf:params:xml:ns:keyprov:pskc:hotp">
        <Issuer>Bank</Issuer>
        <AlgorithmParameters><ResponseFormat Encoding="DECIMAL" Length="8"/></AlgorithmParameters>
        <Data>
        <Secret><PlainValue>MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=</PlainValue></Secret>
        <Counter><PlainValue>7</PlainValue></Counter>
        </Data>
        <Policy><KeyUsage>OTP</KeyUsage></Policy>
        </Key>
        </KeyPackage>
        </KeyContainer>
        """

    static func sample() throws -> PSKCDocument {
        try PSKCDocument(reading: sampleText)
    }
}

extension PSKCDocument {
    /// A document with every supported element.
    static func complete() throws -> PSKCDocument {
        var key = PSKCDocument.Key(
            id: "K1",
            algorithm: .hotp,
            secret: try SecretBytes("12345678901234567890")
        )
        key.device.manufacturer = "Maker"
        key.device.serialNumber = "42"
        key.device.model = "Model"
        key.device.issueNumber = "1"
        key.device.userID = "CN=device"
        key.cryptoModuleID = "M1"
        key.issuer = "Bánk & <Söhne>"
        key.userID = "CN=user"
        key.friendlyName = "Friendly \"name\""
        key.profile = "Profile"
        key.reference = "Reference"
        key.suite = "HMAC-SHA1"
        key.challengeFormat = .init(format: .decimal, lengths: 4...8)
        key.responseFormat = .init(length: 8)
        key.counter = Counter(7)
        key.time = 1
        key.timeIntervalSeconds = 30
        key.device.binding = "IMEI"
        key.device.startDate = "2025-01-01T00:00:00Z"
        key.device.expiryDate = "2031-12-31T23:59:59Z"
        key.timeDrift = 2
        key.policy.startDate = "2026-01-01T00:00:00Z"
        key.policy.expiryDate = "2030-12-31T23:59:59Z"
        key.policy.numberOfTransactions = 1234
        key.policy.usages = [.oneTimePassword, .challengeResponse]
        key.policy.pin = PINPolicy()
        key.policy.pin?.keyID = "P1"
        key.policy.pin?.usageMode = .local
        key.policy.pin?.format = .decimal
        key.policy.pin?.minimumLength = 4
        key.policy.pin?.maximumLength = 6
        key.policy.pin?.maximumFailedAttempts = 3
        return PSKCDocument(id: "C1", keys: [key])
    }

    /// The output of pskctool for it.
    static let completeLines = [
        "Version: 1.0", "Id: C1", "Manufacturer: Maker", "SerialNo: 42", "Model: Model",
        "IssueNo: 1", "DeviceBinding: IMEI", "Device StartDate: 2025-01-01 00:00:00",
        "Device ExpiryDate: 2031-12-31 23:59:59", "UserId: CN=device", "CryptoModuleInfo Id: M1",
        "Id: K1",
        "FriendlyName: Friendly \"name\"", "Issuer: Bánk & <Söhne>",
        "Algorithm: urn:ietf:params:xml:ns:keyprov:pskc:hotp", "Key User Id: CN=user",
        "Key Profile Id: Profile", "Key Reference: Reference",
        "Key Secret (base64): MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=", "Key Counter: 7", "Key Time: 1",
        "Key TimeInterval: 30", "Key TimeDrift: 2", "Key Usage: OTP CR",
        "Policy StartDate: 2026-01-01 00:00:00", "Policy ExpiryDate: 2030-12-31 23:59:59",
        "PIN Policy Minimum Length: 4", "PIN Policy Maximum Length: 6",
        "PIN Policy PIN Key Id: P1", "PIN Policy PIN Encoding: DECIMAL",
        "PIN Policy PIN Usage Mode: Local", "PIN Policy PIN Max Failed Attempts: 3",
        "Algorithm Parameters Suite: HMAC-SHA1", "Challenge Format Encoding: DECIMAL",
        "Challenge Format Min: 4", "Challenge Format Max: 8", "Response Format Length: 8",
        "Response Format Encoding: DECIMAL",
    ]
}

/// A text of the sample document, and its replacement.
struct Change: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String

    init(_ old: String, to new: String) {
        self.old = old
        self.new = new
    }

    var testDescription: String { "\(old) → \(new.prefix(80))" }

    func applied() throws -> String {
        let sample = PSKCDocument.sampleText
        try #require(sample.contains(old))
        return sample.replacing(old, with: new, maxReplacements: 1)
    }
}

extension SecretBytes {
    init(_ text: String) throws(Secret.Failure) {
        try self.init(Array(text.utf8))
    }

    init(_ bytes: [UInt8]) throws(Secret.Failure) {
        try self.init(copying: bytes.span)
    }
}
