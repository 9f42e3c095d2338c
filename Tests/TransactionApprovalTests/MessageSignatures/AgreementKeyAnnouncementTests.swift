import Cryptography
import Testing
import TransactionApproval

@Suite struct `An announcement of an agreement key` {
    private let server: ServerOrigin
    private let current: P256.PrivateKey
    private let next: P256.PrivateKey

    init() throws {
        server = try #require(ServerOrigin("https://approve.bank.example"))
        current = try P256.PrivateKey()
        next = try P256.PrivateKey()
    }

    private func announcement() throws -> AgreementKeyAnnouncement {
        try AgreementKeyAnnouncement(of: next.publicKey, at: server, signedBy: current)
    }

    @Test func `SEC-110: is valid only for its key, its server and its signing key`() throws {
        let announcement = try announcement()
        #expect(try announcement.isSigned(by: current.publicKey, at: server))
        #expect(try !announcement.isSigned(by: next.publicKey, at: server))
        let elsewhere = try #require(ServerOrigin("https://approve.bank.example:8443"))
        #expect(try !announcement.isSigned(by: current.publicKey, at: elsewhere))
        let own = AgreementKeyAnnouncement(
            try P256.PrivateKey().publicKey,
            signature: announcement.signature
        )
        #expect(try !own.isSigned(by: current.publicKey, at: server))
    }

    /// With the roles of both keys exchanged, it would undo a rotation.
    @Test func `SEC-110: does not announce the current key to devices with the next key`() throws {
        let undoing = AgreementKeyAnnouncement(
            current.publicKey,
            signature: try announcement().signature
        )
        #expect(try !undoing.isSigned(by: next.publicKey, at: server))
    }

    /// Another program computes the bytes from the description.
    @Test func `its signature is over label, origin, current key and next key`() throws {
        func field(_ bytes: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
        }
        let message =
            field(Array("countersign agreement-key-announcement 1".utf8))
            + field(Array(server.text.utf8))
            + field(current.publicKey.uncompressedPoint)
            + field(next.publicKey.uncompressedPoint)
        let signature = try announcement().signature
        #expect(try current.publicKey.isValid(signature, for: message.span))
    }
}
