import CommandLineTool
import ConfigurationFiles
import Glibc
import HardwareKeys
import ServerOperation
import Verification
import VerifierServer

// The table from failures of the server to exit codes and hints. Most messages are the server's.

extension CommandFailure {
    init(_ cause: VerifierServer.Failure.Cause, of configuration: Configuration) {
        switch cause {
        case .store(let failure): self.init(failure, of: configuration.store.place)
        case .journal(let failure): self.init(failure, of: configuration)
        case .verifier(let failure): self.init(failure, of: configuration)
        case .keyFile(let failure, let path):
            self.init(failure, of: configuration.keyFile(at: path))
        case .securityModule(.pinFile(let failure)):
            let path = configuration.keys.pkcs11?.pinFile ?? ""
            self.init(failure, of: .pin(path))
        case .securityModule(let failure):
            self.init(failure.exitCode, failure.text, hint: failure.hint)
        case .system(let failure): self.init(failure)
        case .listener(let failure, let endpoint):
            self.init(failure, of: endpoint.section, at: configuration.addresses(of: endpoint))
        default: self.init(cause.exitCode, cause.message(naming: \.section), hint: cause.hint)
        }
    }
}

extension Configuration {
    fileprivate func keyFile(at path: String) -> SecretFile {
        if self.webhooks.contains(where: { $0.secrets.contains(path) }) {
            return .webhookSecret(path)
        }
        if self.push.fcm?.serviceAccount == path { return .serviceAccount(path) }
        guard let member = laterKeys.first(where: { $0.place == path })?.member else {
            return path == self.keys.checkpoint && canBeNew
                ? .checkpointOfNewNode(path) : .key(path)
        }
        let missing = CommandFailure(.noInput, "the key \(path) of \(member) does not exist")
            .suggesting(
                self.store.place == .postgreSQL
                    ? "copy it from the verifier where countersignd init created it; two verifiers "
                        + "with different keys lock devices out"
                    : "countersignd init creates it; if it was lost, restore it from a backup"
            )
        return .key(path, missing: missing)
    }

    /// Without a journal, a verifier can be a new one for an existing store of several.
    private var canBeNew: Bool {
        self.store.place == .postgreSQL && access(self.journal, F_OK) != 0
    }

    fileprivate func addresses(
        of endpoint: VerifierServer.Failure.Endpoint
    ) -> [ListenerAddress] {
        let found =
            switch endpoint {
            case .api: verifier.api
            case .bank: verifier.bank
            case .operation: verifier.operation
            }
        return found?.settings.addresses ?? []
    }
}

extension SecretFile {
    fileprivate static func checkpointOfNewNode(_ path: String) -> SecretFile {
        let missing = CommandFailure(.noInput, "the key \(path) does not exist").suggesting(
            "if this verifier is new, run countersignd init --join; otherwise restore the key from the "
                + "backup of the keys"
        )
        return .key(path, missing: missing)
    }
}

extension VerifierServer.Failure.Cause {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .invalid, .webhookSecret, .serviceAccount, .web(.noFiles): .malformedInput
        case .lateClock, .restoring: .tryLater
        case .web(.file), .web(.otherContent): .noInput
        case .store, .journal, .verifier, .listener, .keyFile, .securityModule, .web, .system,
            .noHTTPClient, .startedBefore:
            .internalFailure
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .invalid: "countersignd help init shows a complete configuration"
        case .webhookSecret: SecretFile.hintForWebhookSecret
        case .serviceAccount(.member, _): SecretFile.hintForServiceAccount
        case .web(.noFiles): "remove server.web, or install a build that make web completed"
        case .web: "install the files of this build again, or correct server.web.files"
        case .lateClock: "check the clock of this machine, and run countersignd clock"
        case .restoring: "wait until countersignd restore ends"
        default: nil
        }
    }
}
