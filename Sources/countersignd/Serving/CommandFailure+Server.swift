import CommandLineTool
import Glibc
import HTTPServer
import OneTimePassword
import Verification
import VerifierServer

// The one table from failures of the server to messages, hints and exit codes.

extension CommandFailure {
    init(_ cause: VerifierServer.Failure.Cause, of configuration: Configuration) {
        switch cause {
        case .store(let failure): self.init(failure, of: FailedResource(configuration.store))
        case .journal(let failure): self.init(failure, of: configuration)
        case .verifier(let failure): self.init(failure, of: configuration)
        case .keyFile(let failure, let path): self.init(failure, of: .key(path))
        case .webhookSecret(.machine(let failure), _): self.init(failure)
        case .serviceAccount(.machine(let failure), _): self.init(SystemFailure(failure))
        case .system(let failure): self.init(failure)
        case .listener(.system(let number), let endpoint):
            let addresses = configuration.addresses(of: endpoint).joined(separator: ", ")
            self.init(
                number == EACCES ? .noPermission : .tryLater,
                "cannot listen at \(addresses): \(String(cString: strerror(number)))",
                hint: cause.hint
            )
        default:
            let (exitCode, message) = cause.outcome
            self.init(exitCode, message, hint: cause.hint)
        }
    }
}

extension Configuration {
    fileprivate func addresses(of endpoint: VerifierServer.Failure.Endpoint) -> [String] {
        let addresses = endpoint == .api ? verifier.api.addresses : verifier.operation?.addresses
        return (addresses ?? []).map { $0.text(port: $0.port) }
    }
}

extension VerifierServer.Failure.Endpoint {
    /// The section of the configuration.
    fileprivate var section: String { self == .api ? "server" : "operation" }
}

extension VerifierServer.Failure.Cause {
    fileprivate var outcome: (ExitCode, String) {
        switch self {
        case .noAddress(let endpoint):
            (.malformedInput, "the member \(endpoint.section).listen is empty")
        case .plainHTTP(let endpoint):
            (.malformedInput, "\(endpoint.section) needs TLS: other machines can reach its address")
        case .listener(let failure, let endpoint): failure.outcome(endpoint.section)
        case .invalid(let member, let rule):
            (.malformedInput, "the member \(member) must be \(rule)")
        case .unreadableFile(let path, let number):
            (.noInput, "cannot open the key \(path): \(String(cString: strerror(number)))")
        case .keyOpenToOthers(let path): (.noPermission, "other users can access the key \(path)")
        case .webhookSecret(_, let path):
            (.malformedInput, "\(path) does not hold a webhook secret")
        case .serviceAccount(.member(let name), let path):
            (
                .malformedInput,
                "\(path): the member \(name) is missing or not valid for a service account"
            )
        case .serviceAccount(_, let path): (.malformedInput, "\(path) is not JSON")
        case .restoring: (.tryLater, "a restore of the store is in progress")
        case .noHTTPClient: (.internalFailure, "libcurl cannot be used")
        case .startedBefore: (.internalFailure, "the server was started or stopped before")
        case .store, .journal, .verifier, .keyFile, .system:
            (.internalFailure, "the server cannot start")
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
        case .restoring: "wait until countersignd restore ends"
        default: nil
        }
    }
}

extension ServerFailure {
    fileprivate func outcome(_ section: String) -> (ExitCode, String) {
        switch self {
        case .malformedAddress(let address):
            (
                .malformedInput,
                "\(address) in \(section).listen is not an IP address with a port"
            )
        case .notListening(let descriptor):
            (.noInput, "descriptor \(descriptor) is not a listening TCP socket")
        case .unreadableCertificate(let path):
            (.noInput, "\(path) is missing, or is not a certificate in PEM")
        case .unusableKey(let path):
            (
                .malformedInput,
                "\(path) is not a key in PEM, has a password, or is not the certificate's key"
            )
        case .unreadableAuthorities(let path):
            (.noInput, "\(path) is missing, or holds no certificates in PEM")
        case .noTLS: (.internalFailure, "OpenSSL cannot provide TLS")
        case .system: (.tryLater, "cannot listen")
        }
    }

    fileprivate func hint(_ section: String) -> String? {
        switch self {
        case .malformedAddress:
            "names are not accepted: write 192.0.2.1:443 or [2001:db8::1]:443"
        case .notListening: "check ListenStream= in the socket unit"
        case .unreadableCertificate: "check \(section).tls.certificate in the configuration"
        case .unusableKey: "check \(section).tls.key in the configuration"
        case .system(EADDRINUSE): "another program uses the port; ss -ltnp shows which one"
        case .system(EADDRNOTAVAIL): "ip address shows the addresses of this machine"
        case .system(EACCES): "ports below 1024 need CAP_NET_BIND_SERVICE or an inherited socket"
        case .unreadableAuthorities, .noTLS, .system: nil
        }
    }
}
