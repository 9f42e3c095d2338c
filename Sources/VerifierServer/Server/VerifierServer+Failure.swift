package import BankIntegration
package import Cryptography
import HTTPServer
package import HardwareKeys
import PrivateFiles
package import Sealing
package import ServerOperation
package import Storage
package import TransactionApproval
package import Verification

extension VerifierServer {
    /// The reason why a server cannot start.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        public enum Code: String, Sendable {
            /// A value of the configuration is not valid.
            case invalidConfiguration
            /// A file of keys or certificates is missing, malformed or accessible to other users.
            case unusableFile
            /// The HSM cannot be used, or does not have a key.
            case unusableSecurityModule
            /// The store or its journal cannot be opened, or one does not match the other.
            case unusableStore
            /// The clock of this machine is more than a day ahead of the last audit record.
            case lateClock
            /// The address is not available.
            case cannotListen
            /// The store is being restored.
            case restoring
            /// A server starts only once.
            case startedBefore
            /// This machine lacks something, for example locked memory.
            case system
        }

        public let code: Code
        /// For the log of an operator: it holds no secret.
        public let message: String
        package let cause: Cause

        public var description: String { message }

        package init(_ cause: Cause) {
            let cause = cause.systemFailure.map(Cause.system) ?? cause
            self.cause = cause
            (code, message) = (cause.code, cause.message)
        }

        /// Failures are equal if their codes are.
        public static func == (left: Failure, right: Failure) -> Bool { left.code == right.code }
    }
}

extension VerifierServer.Failure {
    package enum Endpoint: String, CaseIterable, Sendable {
        case api, operation, bank

        /// The section of the configuration.
        package var section: String { self == .api ? "server" : rawValue }
    }

    package enum Cause: Error, Sendable {
        /// The member of the configuration is not `rule`.
        case invalid(member: String, rule: String)
        case listener(ListenerFailure, Endpoint)
        case keyFile(KeyFile.Failure, path: String)
        case securityModule(SecurityModule.Failure)
        case webhookSecret(WebhookSecret.Failure, path: String)
        case serviceAccount(ServiceAccount.Failure, path: String)
        case web(WebFailure)
        case store(StoreFailure)
        case journal(JournalFailure)
        case verifier(Verifier.Failure)
        /// This machine's clock is far ahead of the last record of the store.
        case lateClock(lastRecord: Timestamp)
        case restoring
        case system(SystemFailure)
        /// libcurl cannot be used.
        case noHTTPClient
        case startedBefore

        /// The failure of this machine, wherever it appeared.
        fileprivate var systemFailure: SystemFailure? {
            switch self {
            case .system(let failure), .keyFile(.system(let failure), _),
                .webhookSecret(.system(let failure), _), .serviceAccount(.system(let failure), _):
                failure
            case .web(.system(let failure)), .securityModule(.system(let failure)),
                .securityModule(.pinFile(.system(let failure))):
                failure
            case .store(let failure): failure.systemFailure
            case .journal(let failure): failure.systemFailure
            case .verifier(let failure): failure.systemFailure
            default: nil
            }
        }
    }
}

// MARK: The one table

extension VerifierServer.Failure.Cause {
    fileprivate var code: VerifierServer.Failure.Code {
        switch self {
        case .invalid, .web(.noFiles): .invalidConfiguration
        case .keyFile, .webhookSecret, .serviceAccount, .web: .unusableFile
        case .securityModule: .unusableSecurityModule
        case .listener(let failure, _): failure.code
        case .store, .journal, .verifier: .unusableStore
        case .lateClock: .lateClock
        case .restoring: .restoring
        case .startedBefore: .startedBefore
        case .system, .noHTTPClient: .system
        }
    }

    fileprivate var message: String { message { $0.rawValue } }

    /// The message, with other names of the endpoints.
    package func message(naming name: (VerifierServer.Failure.Endpoint) -> String) -> String {
        switch self {
        case .invalid(let member, let rule): "\(member) must be \(rule)"
        case .listener(let failure, let endpoint): failure.message(about: name(endpoint))
        case .securityModule(let failure): failure.text
        case .keyFile(_, let path): "the key file \(path) is missing or unusable"
        case .webhookSecret(_, let path): "\(path) does not hold a webhook secret"
        case .serviceAccount(.member(let name), let path):
            "\(path): the member \(name) is missing or not valid for a service account"
        case .serviceAccount(_, let path): "\(path) is not JSON"
        case .web(let failure): failure.message
        case .store(let failure): failure.sentence(about: "the store")
        case .journal(let failure): failure.sentence(about: "the journal")
        case .verifier(let failure): "cannot use the store: \(failure.name)"
        case .lateClock(let last):
            "the last audit record is more than a day old, from \(last.rfc3339)"
        case .restoring: "a restore of the store is in progress"
        case .system(let failure): failure.text
        case .noHTTPClient: "libcurl cannot be used"
        case .startedBefore: "the server was started or stopped before"
        }
    }
}

extension Verifier.Failure {
    /// The reason, and how an administrator of the database fixes the cause.
    var text: String { [sentence, advice].compactMap { $0 }.joined(separator: "; ") }

    private var sentence: String {
        switch self {
        case .store(let failure): failure.sentence(about: "the store")
        case .journal(let failure): failure.sentence(about: "the journal")
        case .system(let failure), .sealedRecord(.system(let failure)): failure.text
        case .sealedRecord(.keyMissing(let version)):
            "version \(version) of the encryption key is missing"
        case .sealedRecord(.notAuthentic): "a record of the store is not authentic"
        case .policy, .confirmation: name
        }
    }

    private var advice: String? {
        if case .store(let failure) = self { failure.advice } else { nil }
    }
}

extension WebFailure {
    fileprivate var message: String {
        switch self {
        case .noFiles: "this build has no files of the web device, so it cannot serve them"
        case .file(let failure, let path): failure.sentence(about: "the web file \(path)")
        case .otherContent(let path): "the web file \(path) is not the file of this build"
        case .system(let failure): failure.text
        }
    }
}

extension ListenerFailure {
    fileprivate var code: VerifierServer.Failure.Code {
        switch self {
        case .noAddress, .plainHTTP, .server(.malformedAddress), .server(.notListening):
            .invalidConfiguration
        case .unreadableFile, .keyOpenToOthers, .server(.unreadableCertificate),
            .server(.weakCertificate), .server(.unusableKey), .server(.otherKey),
            .server(.unreadableAuthorities):
            .unusableFile
        case .server(.noTLS), .tooFewOpenFiles: .system
        case .server(.errorNumber): .cannotListen
        }
    }
}
