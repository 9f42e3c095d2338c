@testable import Cryptography
@testable import JOSE

/// The authority of the seed `chain`.
private let anchorText = """
    MIIBQzCB66ADAgECAhQpTqaipYND1CGNvTiEqWYpxn3tsjAKBggqhkjOPQQDAjAQMQ4wDAYDVQQDDAVEUyBDQTAeFw\
    0yNjAxMDEwMDAwMDBaFw0zNTEyMzAwMDAwMDBaMBAxDjAMBgNVBAMMBURTIENBMFkwEwYHKoZIzj0CAQYIKoZIzj0D\
    AQcDQgAE595qtBRymsn/bGNZwaZ/ufqBTgF1espUE28wHWxOhEFzY8HYkIzsodH4/zqTuSrCe+/DyBgHOX6p2kSZDe\
    o1uKMjMCEwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQwCgYIKoZIzj0EAwIDRwAwRAIgeKBs6yVAelW1\
    a+as5L8cjD3MUubHaG1yJp7ks+a1pd0CIGMQ424uy4SGh9jEVdytwZZc1EzwpBpQLPg67Y1VSOqd
    """

private struct Keys {
    let signing: P256.PrivateKey
    let anchor: Certificate

    init() throws {
        signing = try P256.PrivateKey()
        let der = try TextEncoding.base64.decode(anchorText)
        anchor = try Certificate(der: der.span)
    }
}

// Fuzzing needs the keys, and the fuzzer reports a failure to make them.
// swift-format-ignore: NeverUseForceTry
private let keys = try! Keys()

/// A token gives only a payload that was signed.
///
/// The input is read as a token, and as the header of a token that is signed here. Most inputs are
/// correctly rejected, so `try?` loses nothing.
@_cdecl("LLVMFuzzerTestOneInput")
func readJWS(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    // The key has signed no token yet.
    precondition((try? payload(of: input)) == nil, "verified, but never signed")
    _ = try? certifiedPayload(of: input)
    guard let signed = try? signed(header: input) else { preconditionFailure("not signed") }
    if let payload = try? payload(of: signed) { precondition(payload == [1, 2, 3], "changed") }
    // The key of a certificate is not the one that signed.
    precondition((try? certifiedPayload(of: signed)) == nil, "verified by another key")
    return 0
}

private func payload(of text: [UInt8]) throws -> [UInt8] {
    try JWS(reading: text, maximumByteCount: 16_000)
        .payload(verifiedBy: .es256(keys.signing.publicKey))
}

private func certifiedPayload(of text: [UInt8]) throws -> [UInt8] {
    try JWS(reading: text, maximumByteCount: 16_000).payload(
        verifiedBelow: keys.anchor,
        at: 1_798_761_600,
        permitting: JWS.Algorithm.allCases
    )
}

private func signed(header: [UInt8]) throws -> [UInt8] {
    let payload: [UInt8] = [1, 2, 3]
    let parts = [header, payload].map { TextEncoding.base64URL.encode($0.span) }
    let message = Array(parts.joined(separator: ".").utf8)
    let signature = try keys.signing.signature(for: message.span).raw
    return message + Array(".".utf8) + Array(TextEncoding.base64URL.encode(signature.span).utf8)
}
