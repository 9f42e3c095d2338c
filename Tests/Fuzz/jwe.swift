@testable import Cryptography
@testable import JOSE

private let derivation = KeyDerivation(
    algorithmID: [],
    partyUInfo: [],
    partyVInfo: [1],
    byteCount: 32
)
private let direct = [UInt8](1...16)

private struct Keys {
    let recipient: P256.PrivateKey
    let ephemeral: P256.PrivateKey

    init() throws {
        recipient = try P256.PrivateKey()
        ephemeral = try P256.PrivateKey()
    }
}

// Fuzzing needs keys, and the fuzzer reports a failure to generate them.
// swift-format-ignore: NeverUseForceTry
private let keys = try! Keys()

/// A token gives only a plaintext that was sealed.
///
/// The input is read as a token, and as the header of tokens that are sealed here. Most inputs are
/// correctly rejected, so `try?` loses nothing.
@_cdecl("LLVMFuzzerTestOneInput")
func readJWE(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    precondition((try? opened(input)) == nil, "opened, but never sealed")
    precondition((try? agreed(input)) == nil, "opened, but never sealed")
    do {
        let key = try SecureBytes(copying: direct.span)
        if let plaintext = try? opened(sealed(header: input, key)) {
            precondition(plaintext == [1, 2, 3], "changed")
        }
        let secret = try keys.ephemeral.sharedSecret(with: keys.recipient.publicKey)
        let derived = try derivation.key(from: secret)
        let agreedKey = try derived.withBytes { try SecureBytes(copying: $0.extracting(first: 16)) }
        // The header names an ephemeral key that is not ours.
        let token = try sealed(header: input, agreedKey)
        precondition((try? agreed(token)) == nil, "opened with another ephemeral key")
    } catch {
        preconditionFailure("not sealed: \(error)")
    }
    return 0
}

private func opened(_ text: [UInt8]) throws -> [UInt8] {
    let token = try JWE(reading: text, maximumByteCount: 64_000)
    let key = try SecureBytes(copying: direct.span)
    return try token.opened(with: key, permitting: JWE.Encryption.allCases)
}

private func agreed(_ text: [UInt8]) throws -> [UInt8] {
    try JWE(reading: text, maximumByteCount: 64_000).opened(
        by: keys.recipient,
        deriving: derivation,
        permitting: JWE.Encryption.allCases
    )
}

private func sealed(header: [UInt8], _ key: borrowing SecureBytes) throws -> [UInt8] {
    let nonce = [UInt8](repeating: 7, count: 12)
    let plaintext: [UInt8] = [1, 2, 3]
    let authenticated = Array(TextEncoding.base64URL.encode(header.span).utf8)
    let sealed = try AESGCM.seal(
        plaintext.span,
        keyOf128Bits: key,
        nonce: nonce.span,
        authenticating: authenticated.span
    )
    let parts = [nonce, Array(sealed.prefix(3)), Array(sealed.suffix(16))]
    let texts = parts.map { TextEncoding.base64URL.encode($0.span) }
    return authenticated + Array("..".utf8) + Array(texts.joined(separator: ".").utf8)
}
