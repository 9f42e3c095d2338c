import Foundation
import TestSupport

@testable import Cryptography

/// A key pair that openssl generated, and openssl to use it.
struct RSAKeys {
    let folder: TemporaryFolder
    let privateKey: RSA.PrivateKey

    private static let first = Result { try generated() }

    /// Always the same key, because openssl needs long for one; or else another one.
    init(isOther: Bool = false) throws {
        folder = try isOther ? Self.generated() : TemporaryFolder(copying: Self.first.get())
        privateKey = try RSA.PrivateKey(
            pem: [UInt8](Data(contentsOf: URL(filePath: folder.path + "/key.pem"))).span
        )
    }

    private static func generated() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try openssl("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem", in: folder)
        try openssl("pkey -in key.pem -pubout -out public.pem", in: folder)
        return folder
    }

    @discardableResult
    func openssl(_ words: String) throws -> FinishedProcess {
        try Self.openssl(words, in: folder)
    }

    @discardableResult
    private static func openssl(
        _ words: String,
        in folder: TemporaryFolder
    ) throws -> FinishedProcess {
        try FinishedProcess.run(
            "sh",
            ["-euc", "cd \"$0\"; umask 077; openssl \(words)", folder.path]
        )
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: folder.path + "/" + name))
    }

    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder.path + "/" + name)))
    }

    /// The numbers that openssl shows.
    func publicKey() throws -> RSA.PublicKey {
        let modulus = try openssl("rsa -in key.pem -noout -modulus").output
            .trimmingPrefix("Modulus=").trimmingCharacters(in: .newlines)
        let bytes = try TextEncoding.hexadecimal.decode(modulus.lowercased())
        let exponent: [UInt8] = [1, 0, 1]
        return try RSA.PublicKey(modulus: bytes.span, exponent: exponent.span)
    }
}
