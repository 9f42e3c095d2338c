package import CommandLineTool
import Glibc
import HTTPServer
package import ServerOperation

// The table from failures of listeners to exit codes and hints.

extension CommandFailure {
    /// `section`: the section with the members `listen` and `tls`.
    package init(
        _ failure: ListenerFailure,
        of section: String,
        at addresses: [ListenerAddress] = []
    ) {
        let message =
            switch failure {
            case .noAddress: "the member \(section).listen is empty"
            case .server(.errorNumber(let number)):
                "cannot listen at \(addresses.map(\.text).joined(separator: ", ")): "
                    + systemMessage(number)
            default: failure.message(about: section)
            }
        self.init(failure.exitCode, message, hint: failure.hint(section))
    }
}

extension ListenerFailure {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .noAddress, .plainHTTP, .server(.malformedAddress), .server(.unreadableCertificate),
            .server(.weakCertificate), .server(.unusableKey), .server(.otherKey),
            .server(.unreadableAuthorities):
            .malformedInput
        case .server(.noTLS), .tooFewOpenFiles: .internalFailure
        case .server(.errorNumber(EACCES)), .keyOpenToOthers, .unreadableFile(_, _, EACCES):
            .noPermission
        case .server(.errorNumber): .tryLater
        case .server(.notListening), .unreadableFile: .noInput
        }
    }

    fileprivate func hint(_ section: String) -> String? {
        switch self {
        case .noAddress: "add an address with its port, or pass a socket from a service manager"
        case .plainHTTP: "set \(section).tls, or listen only at 127.0.0.1"
        case .unreadableFile(_, _, EACCES): CommandFailure.hintForDeniedFile
        case .unreadableFile(let member, _, _):
            "check \(section).tls.\(member.rawValue) in the configuration"
        case .keyOpenToOthers: "run chmod 600 on it"
        case .tooFewOpenFiles: "raise `ulimit -n`, or LimitNOFILE= of the systemd unit"
        case .server(let failure): failure.hint(section)
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
        case .weakCertificate:
            "use a P-256 key or an RSA key of at least 2048 bits, and a signature with SHA-256"
        case .unreadableAuthorities: "check \(section).tls.clientAuthorities in the configuration"
        case .unusableKey: "check \(section).tls.key in the configuration"
        case .otherKey: "\(section).tls must name a certificate and its own key"
        case .errorNumber(EADDRINUSE): "another program uses the port; ss -ltnp shows which one"
        case .errorNumber(EADDRNOTAVAIL): "ip address shows the addresses of this machine"
        case .errorNumber(EACCES):
            "ports below 1024 need an inherited socket of systemd, or CAP_NET_BIND_SERVICE"
        case .noTLS, .errorNumber: nil
        }
    }
}
