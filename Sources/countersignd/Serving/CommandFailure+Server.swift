import CommandLineTool
import Glibc
import HTTPServer
import OneTimePassword
import Verification
import VerifierServer

// The one table from failures of the server to messages, hints and exit codes.

extension CommandFailure {
    init(_ failure: VerifierServer.Failure, of configuration: Configuration) {
        switch failure.cause {
        case .store(let failure): self.init(failure, of: Part(configuration.store))
        case .journal(let failure): self.init(failure, of: configuration)
        case .verifier(let failure): self.init(failure, of: configuration)
        case .keyFile(let failure, let path): self.init(failure, ofFileAt: path)
        case .webhookSecret(let failure, let path): self.init(failure, ofFileAt: path)
        case .serviceAccount(let failure, let path): self.init(failure, ofFileAt: path)
        case .system(let failure): self.init(failure)
        case .noAddress(let endpoint), .plainHTTP(let endpoint), .listener(_, let endpoint):
            self.init(failure.cause, configuration.listening(endpoint))
        case .invalid(let member, let rule):
            self.init(
                .malformedInput,
                "the member \(member) must be \(rule)",
                hint: "countersignd help init shows a complete configuration"
            )
        case .unreadableFile(let path, let number):
            self.init(.noInput, "cannot open the key \(path): \(String(cString: strerror(number)))")
        case .keyOpenToOthers(let path):
            self.init(
                .noPermission,
                "other users can access the key \(path)",
                hint: "run chmod 600 on it"
            )
        case .restoring:
            self.init(
                .tryLater,
                "a restore of the store is in progress",
                hint: "wait until countersignd restore ends"
            )
        case .noHTTPClient: self.init(.internalFailure, "libcurl cannot be used")
        case .startedBefore: self.init(.internalFailure, failure.message)
        }
    }
}

// MARK: Endpoints

extension Configuration {
    fileprivate func listening(_ endpoint: VerifierServer.Failure.Endpoint) -> Listening? {
        switch endpoint {
        case .api: server?.listening
        case .operation: operation
        }
    }
}

extension CommandFailure {
    fileprivate init(
        _ cause: VerifierServer.Failure.Cause,
        _ listening: Configuration.Listening?
    ) {
        let name = listening?.name ?? "server"
        switch cause {
        case .noAddress:
            self.init(
                .malformedInput,
                "the member \(name).listen is empty",
                hint: "add an address with its port, or pass a socket from a service manager"
            )
        case .plainHTTP:
            self.init(
                .malformedInput,
                "\(name) needs TLS: other machines can reach its address",
                hint: "set \(name).tls, or listen only at 127.0.0.1"
            )
        case .listener(let failure, _): self.init(failure, name, listening)
        default: self.init(.internalFailure, "the server cannot start")
        }
    }

    private init(
        _ failure: ServerFailure,
        _ name: String,
        _ listening: Configuration.Listening?
    ) {
        switch failure {
        case .malformedAddress(let address):
            self.init(
                .malformedInput,
                "\(address) in \(name).listen is not an IP address with a port",
                hint: "names are not accepted: write 192.0.2.1:443 or [2001:db8::1]:443"
            )
        case .notListening(let descriptor):
            self.init(
                .noInput,
                "descriptor \(descriptor) is not a listening TCP socket",
                hint: "check ListenStream= in the socket unit"
            )
        case .unreadableCertificate(let path):
            self.init(
                .noInput,
                "\(path) is missing, or is not a certificate in PEM",
                hint: "check \(name).tls.certificate in the configuration"
            )
        case .unusableKey(let path):
            self.init(
                .malformedInput,
                "\(path) is not a key in PEM, has a password, or is not the certificate's key",
                hint: "check \(name).tls.key in the configuration"
            )
        case .unreadableAuthorities(let path):
            self.init(.noInput, "\(path) is missing, or holds no certificates in PEM")
        case .noTLS: self.init(.internalFailure, "OpenSSL cannot provide TLS")
        case .system(let number): self.init(system: number, listening)
        }
    }

    private init(system number: Int32, _ listening: Configuration.Listening?) {
        let addresses = (listening?.addresses ?? []).map { $0.text(port: $0.port) }
        let hint: String? =
            switch number {
            case EADDRINUSE: "another program uses the port; ss -ltnp shows which one"
            case EADDRNOTAVAIL: "ip address shows the addresses of this machine"
            case EACCES: "ports below 1024 need CAP_NET_BIND_SERVICE or an inherited socket"
            default: nil
            }
        self.init(
            number == EACCES ? .noPermission : .tryLater,
            "cannot listen at \(addresses.joined(separator: ", ")): "
                + String(cString: strerror(number)),
            hint: hint
        )
    }
}

// MARK: Receivers

extension CommandFailure {
    fileprivate init(_ failure: WebhookSecret.Failure, ofFileAt path: String) {
        switch failure {
        case .malformed:
            self.init(
                .malformedInput,
                "\(path) does not hold a webhook secret",
                hint: "create one: (umask 077; echo \"whsec_$(openssl rand -base64 32)\" >FILE)"
            )
        case .machine(let failure): self.init(failure)
        }
    }

    fileprivate init(_ failure: ServiceAccount.Failure, ofFileAt path: String) {
        switch failure {
        case .notJSON: self.init(.malformedInput, "\(path) is not JSON")
        case .member(let name):
            self.init(
                .malformedInput,
                "\(path): the member \(name) is missing or not valid for a service account",
                hint: "use the file as the Google Cloud console creates it"
            )
        case .machine(let failure): self.init(SystemFailure(failure))
        }
    }
}
