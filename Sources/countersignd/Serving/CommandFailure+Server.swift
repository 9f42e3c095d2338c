import CommandLineTool
import Glibc
import HTTPServer
import HardwareKeys
import Verification
import VerifierServer

// The table from failures of the server to exit codes and hints. Most messages are the server's.

extension CommandFailure {
    init(_ cause: VerifierServer.Failure.Cause, of configuration: Configuration) {
        switch cause {
        case .store(let failure): self.init(failure, of: FailedResource(configuration.store))
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
        case .listener(.errorNumber(let number), let endpoint):
            let addresses = configuration.addresses(of: endpoint).joined(separator: ", ")
            self.init(
                number == EACCES ? .noPermission : .tryLater,
                "cannot listen at \(addresses): \(String(cString: strerror(number)))",
                hint: cause.hint
            )
        case .noAddress(let endpoint):
            self.init(
                cause.exitCode,
                "the member \(endpoint.section).listen is empty",
                hint: cause.hint
            )
        default: self.init(cause.exitCode, cause.message(naming: \.section), hint: cause.hint)
        }
    }
}

extension Configuration {
    fileprivate func keyFile(at path: String) -> SecretFile {
        guard let member = laterKeys.first(where: { $0.place == path })?.member else {
            return .key(path)
        }
        let missing = CommandFailure(.noInput, "the key \(path) of \(member) does not exist")
            .suggesting("countersignd init creates it; if it was lost, restore it from a backup")
        return .key(path, missing: missing)
    }

    fileprivate func addresses(of endpoint: VerifierServer.Failure.Endpoint) -> [String] {
        let found =
            switch endpoint {
            case .api: verifier.api
            case .bank: verifier.bank
            case .operation: verifier.operation
            }
        return (found?.addresses ?? []).map { $0.text(port: $0.port) }
    }
}

extension VerifierServer.Failure.Endpoint {
    /// The section of the configuration.
    fileprivate var section: String { self == .api ? "server" : rawValue }
}

extension VerifierServer.Failure.Cause {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .noAddress, .plainHTTP, .invalid, .webhookSecret, .serviceAccount, .web(.noFiles):
            .malformedInput
        case .listener(.malformedAddress, _), .listener(.unusableKey, _),
            .listener(.otherKey, _):
            .malformedInput
        case .listener(.noTLS, _), .noHTTPClient, .startedBefore: .internalFailure
        case .listener(.errorNumber, _), .lateClock, .restoring: .tryLater
        case .listener, .unreadableFile, .web(.file), .web(.otherContent): .noInput
        case .keyOpenToOthers: .noPermission
        case .store, .journal, .verifier, .keyFile, .securityModule, .web, .system:
            .internalFailure
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .noAddress: "add an address with its port, or pass a socket from a service manager"
        case .plainHTTP(let endpoint):
            "set \(endpoint.section).tls, or listen only at 127.0.0.1"
        case .listener(let failure, let endpoint): failure.hint(endpoint.section)
        case .invalid: "countersignd help init shows a complete configuration"
        case .keyOpenToOthers: "run chmod 600 on it"
        case .webhookSecret:
            "create one: (umask 077; echo \"whsec_$(openssl rand -base64 32)\" >FILE)"
        case .serviceAccount(.member, _): "use the file as the Google Cloud console creates it"
        case .web(.noFiles): "remove server.web, or install a build that make web completed"
        case .web: "install the files of this build again, or correct server.web.files"
        case .lateClock: "check the clock of this machine, and run countersignd clock"
        case .restoring: "wait until countersignd restore ends"
        default: nil
        }
    }
}

extension ServerFailure {
    fileprivate func hint(_ section: String) -> String? {
        switch self {
        case .malformedAddress:
            "names are not accepted: write 192.0.2.1:443 or [2001:db8::1]:443"
        case .notListening: "check ListenStream= in the socket unit"
        case .unreadableCertificate: "check \(section).tls.certificate in the configuration"
        case .unreadableAuthorities: "check \(section).tls.clientAuthorities in the configuration"
        case .unusableKey: "check \(section).tls.key in the configuration"
        case .otherKey: "\(section).tls must name a certificate and its own key"
        case .errorNumber(EADDRINUSE): "another program uses the port; ss -ltnp shows which one"
        case .errorNumber(EADDRNOTAVAIL): "ip address shows the addresses of this machine"
        case .errorNumber(EACCES):
            "ports below 1024 need CAP_NET_BIND_SERVICE or an inherited socket"
        case .noTLS, .errorNumber: nil
        }
    }
}
