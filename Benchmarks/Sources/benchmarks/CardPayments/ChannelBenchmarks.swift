import CReference
import Cryptography
import JOSE
import ThreeDSProtocol

/// Secure channels with apps, and the content that an ACS signs for them.
extension Benchmark {
    static var channels: [Benchmark] {
        [
            .time(
                "threeds.channel",
                .atMost(1.25),
                count: 100,
                ours: makeChannels,
                reference: reference_channel
            ),
            .time(
                "threeds.signed-content.make",
                .atMost(1.3),
                count: 200,
                ours: make,
                reference: reference_content_make
            ),
            .time(
                "threeds.signed-content.verify",
                .atMost(1.3),
                count: 100,
                ours: verify,
                reference: reference_content_verify
            ),
            .time(
                "threeds.signed-content.verify-chain",
                .atMost(1.3),
                count: 50,
                ours: verifyChain,
                reference: reference_content_verify_chain
            ),
            .againstJwcrypto("signed-content.make", .atMost(0.35), count: 200, ours: make),
            .againstJwcrypto("signed-content.verify", .atMost(0.5), count: 100, ours: verify),
        ]
    }
}

private let address = "https://acs.bank.example/challenge/7f3a"

private func makeChannels(_ count: Int) throws -> [UInt8] {
    let signer = try signer.get()
    let app = try P256.PrivateKey().publicKey
    var text = ""
    for _ in 0..<count {
        let own = try P256.PrivateKey()
        _ = try ChannelKey(
            own: own,
            other: app,
            sdkReferenceNumber: "3DS_LOA_SDK_TEST_020100_00001"
        )
        text = try signer.signed(own.publicKey, app)
    }
    return [text.isEmpty ? 0 : 1]
}

private func make(_ count: Int) throws -> [UInt8] {
    let signer = try signer.get()
    let (own, app) = (try P256.PrivateKey().publicKey, try P256.PrivateKey().publicKey)
    var text = ""
    for _ in 0..<count { text = try signer.signed(own, app) }
    try signer.checkSignature(of: Array(text.utf8))
    return [1]
}

/// The signature alone, by a key that is known.
private func verify(_ count: Int) throws -> [UInt8] {
    let signer = try signer.get()
    let (own, app) = (try P256.PrivateKey().publicKey, try P256.PrivateKey().publicKey)
    let text = Array(try signer.signed(own, app).utf8)
    for _ in 0..<count { try signer.checkSignature(of: text) }
    return [1]
}

private func verifyChain(_ count: Int) throws -> [UInt8] {
    let signer = try signer.get()
    let (own, app) = (try P256.PrivateKey().publicKey, try P256.PrivateKey().publicKey)
    let text = Array(try signer.signed(own, app).utf8)
    var isRead = true
    for _ in 0..<count {
        let content = try SignedContent(
            verifying: text,
            below: signer.anchor,
            at: signer.certificates[0].begins + 3600,
            for: app
        )
        isRead = isRead && content.acsKey == own
    }
    return [isRead ? 1 : 0]
}

private let signer = Result { try Signer() }

/// The key of an ACS, with certificates that lead to the anchor of a directory.
private struct Signer {
    let certificates: [Cryptography.Certificate]
    let anchor: Cryptography.Certificate
    private let key: P256.PrivateKey
    private let signer: JWS.Signer

    init() throws {
        var scalar = [UInt8](repeating: 0, count: P256.coordinateByteCount)
        guard reference_content_scalar(&scalar) else { throw BenchmarkFailure("no key") }
        key = try P256.PrivateKey(scalar: SecureBytes(copying: scalar.span))
        certificates = try [Self.certificate(0), Self.certificate(1)]
        anchor = try Self.certificate(2)
        signer = try JWS.Signer(.es256(key), certificates: certificates)
    }

    private static func certificate(_ level: Int32) throws -> Cryptography.Certificate {
        var der = [UInt8](repeating: 0, count: 1024)
        let length = Int(reference_certificate(level, &der, der.count))
        guard length > 0, length <= der.count else { throw BenchmarkFailure("no certificate") }
        return try Cryptography.Certificate(der: der.span.extracting(first: length))
    }

    func signed(_ own: P256.PublicKey, _ app: P256.PublicKey) throws -> String {
        guard let content = SignedContent(acsKey: own, sdkKey: app, acsURL: address) else {
            throw BenchmarkFailure("the address is refused")
        }
        return try content.signed(by: signer)
    }

    func checkSignature(of text: [UInt8]) throws {
        let token = try JWS(reading: text, maximumByteCount: SignedContent.maximumByteCount)
        _ = try token.payload(verifiedBy: .es256(key.publicKey))
    }
}
