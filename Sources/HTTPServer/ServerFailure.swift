/// The reason why a server cannot start or reload certificates.
package enum ServerFailure: Error, Equatable {
    /// Not a numeric address with a port.
    case malformedAddress(String)
    /// The inherited descriptor is not a listening TCP socket.
    case notListening(CInt)
    case unreadableCertificate(path: String)
    /// OpenSSL rejects a key or a signature in this file for its strength.
    case weakCertificate(path: String)
    /// Not a key, or protected by a password.
    case unusableKey(path: String)
    /// The key does not belong to the certificate.
    case otherKey(path: String)
    case unreadableAuthorities(path: String)
    /// OpenSSL has no memory, or lacks a required feature.
    case noTLS
    /// A system call failed with this `errno`.
    case errorNumber(CInt)
}
