package import HTTPServer

/// The reason why a server cannot listen at its addresses.
package enum ListenerFailure: Error, Sendable {
    case noAddress
    /// Without TLS, at an address that other machines can reach.
    case plainHTTP
    /// With the `errno` of the attempt to open it.
    case unreadableFile(TLSFiles.Member, path: String, Int32)
    /// Every user of the machine may read the key.
    case keyOpenToOthers(path: String)
    /// The limit on open files, which leaves too few connections.
    case tooFewOpenFiles(Int, minimum: Int)
    case server(ServerFailure)
}

extension ListenerFailure {
    /// For an operator; `name` is the name of the listener.
    package func message(about name: String) -> String {
        switch self {
        case .noAddress: "\(name) has no address and no socket"
        case .plainHTTP: "\(name) needs TLS: other machines can reach its address"
        case .unreadableFile(let member, let path, let number):
            "cannot open the \(member.content) \(path): \(systemMessage(number))"
        case .keyOpenToOthers(let path): "other users can access the key \(path)"
        case .tooFewOpenFiles(let number, let minimum):
            "\(name) needs a limit of at least \(minimum) open files, not \(number)"
        case .server(let failure): "\(name): \(failure.message)"
        }
    }
}

extension ServerFailure {
    fileprivate var message: String {
        switch self {
        case .malformedAddress(let address): "\(address) is not an IP address with a port"
        case .notListening(let descriptor): "descriptor \(descriptor) is not a listening TCP socket"
        case .unreadableCertificate(let path):
            "\(path) is not a certificate in PEM"
        case .weakCertificate(let path):
            "\(path) has a certificate with a key that is too short, or with a weak signature"
        case .unusableKey(let path):
            "\(path) is not a key in PEM, or has a password"
        case .otherKey(let path): "the key \(path) does not belong to the certificate"
        case .unreadableAuthorities(let path):
            "\(path) holds no certificates in PEM"
        case .noTLS: "OpenSSL cannot provide TLS"
        case .errorNumber(let number): "cannot listen: \(systemMessage(number))"
        }
    }
}
