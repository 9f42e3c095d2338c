package import Cryptography
package import StrictJSON

/// A private RSA key as PKCS#8, made from a JSON web key.
///
/// Published vectors contain such keys as JSON, which the package does not read.
package func privateRSAKey(_ jwk: JSONValue) throws -> RSA.PrivateKey {
    let numbers = try ["n", "e", "d", "p", "q", "dp", "dq", "qi"].map { name in
        try TextEncoding.base64URL.decode(jwk[name]?.text ?? "")
    }
    let key = element(0x30, element(0x02, [0]) + numbers.flatMap(integer))
    // RFC 8017, appendix A.1: rsaEncryption, without parameters.
    let algorithm: [UInt8] = [
        0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    let info = element(0x30, element(0x02, [0]) + algorithm + element(0x04, key))
    return try RSA.PrivateKey(der: info.span)
}

private func integer(_ number: [UInt8]) -> [UInt8] {
    // A leading one bit would be a sign.
    element(0x02, (number.first ?? 0) >= 0x80 ? [0] + number : number)
}

private func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    content.count < 0x80
        ? [tag, UInt8(content.count)] + content
        : [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
}
