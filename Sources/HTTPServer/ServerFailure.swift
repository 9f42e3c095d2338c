/// Why a server cannot be had, or cannot take its new certificates.
package enum ServerFailure: Error, Equatable {
    /// No address in numbers, or no port.
    case malformedAddress(String)
    /// The descriptor that was handed over is no socket that listens for TCP.
    case notListening(CInt)
    case unreadableCertificate(path: String)
    /// It is no key, not the certificate's, or needs a password.
    case unusableKey(path: String)
    case unreadableAuthorities(path: String)
    /// OpenSSL has no memory, or was built without what is asked for.
    case noTLS
    /// The system refused, with this `errno`.
    case system(CInt)
}
