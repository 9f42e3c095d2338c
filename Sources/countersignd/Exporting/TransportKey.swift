import CommandLineTool
import Cryptography
import FailureTranslation
import OneTimePassword
import OneTimePasswordFormats
import Sealing
import TransactionApproval
import Verification

/// The key that encrypts exported tokens.
struct TransportKey: Sendable {
    private static let byteCounts = [16, 24, 32]

    private let bytes: SecretBytes
    private let name: String

    init(inFileAt path: String) throws(CommandFailure) {
        let missing = CommandFailure(.noInput, "the key \(path) does not exist")
            .suggesting("create it: (umask 077; openssl rand -hex 32 >\(path))")
        let text = try translating(KeyFile.text(in: .file(path))) {
            (failure: KeyFile.Failure) in
            CommandFailure(failure, of: .key(path, missing: missing))
        }
        let decoded = try translating(Self.decoded(text)) {
            (failure: CryptographyFailure) -> CommandFailure in
            if case .malformedEncoding = failure {
                .noKey(in: path)
            } else {
                CommandFailure(SystemFailure(failure))
            }
        }
        guard Self.byteCounts.contains(decoded.count) else { throw .noKey(in: path) }
        do throws(Secret.Failure) {
            bytes = try decoded.withBytes { bytes throws(Secret.Failure) in
                try SecretBytes(copying: bytes)
            }
        } catch {
            throw CommandFailure(.secureMemoryFull)
        }
        name = path.split(separator: "/").last.map(String.init) ?? path
    }

    private static func decoded(
        _ text: borrowing SecureBytes
    ) throws(CryptographyFailure) -> SecureBytes {
        try text.withBytes { text throws(CryptographyFailure) in
            let hasEnd = !text.isEmpty && text[text.count - 1] == UInt8(ascii: "\n")
            let line = text.extracting(first: text.count - (hasEnd ? 1 : 0))
            return try TextEncoding.hexadecimal.decode(secret: line)
        }
    }

    /// A PSKC document of the tokens, with a MAC over each secret.
    func document(of tokens: [ExportedToken]) throws(CommandFailure) -> [UInt8] {
        let document = PSKCDocument(keys: tokens.map { PSKCDocument.Key($0) })
        do throws(PSKCDocument.WritingFailure) {
            return try document.serialized(protection: .preSharedKey(bytes, named: name))
        } catch .system(let failure) {
            throw CommandFailure(failure)
        } catch .malformed {
            throw CommandFailure(.malformedInput, "the file name is not valid as a key name")
        } catch {
            throw CommandFailure(.internalFailure, "the document cannot be written")
        }
    }
}

extension CommandFailure {
    fileprivate static func noKey(in path: String) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "\(path) does not contain a key of 16, 24 or 32 bytes in hexadecimal",
            hint: "create one: (umask 077; openssl rand -hex 32 >FILE)"
        )
    }
}

extension PSKCDocument.Key {
    /// A key that `countersignd load` can import again.
    fileprivate init(_ token: ExportedToken) {
        self.init(id: token.device.description, algorithm: .hotp, secret: token.secret)
        device.serialNumber = token.serial
        suite = "HMAC-\(token.suite.algorithm.rawValue)"
        responseFormat = PSKCDocument.ResponseFormat(length: UInt32(token.suite.digits.rawValue))
        counter = token.counter
        userID = token.account.key.id.text
    }
}
