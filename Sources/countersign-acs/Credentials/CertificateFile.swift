import CommandLineTool
import Cryptography

/// A file with certificates in PEM.
struct CertificateFile {
    private let path: String
    /// The member of the configuration that names the file.
    private let member: String?

    init(_ path: String, namedBy member: String? = nil) {
        (self.path, self.member) = (path, member)
    }

    private static let maximumByteCount = 1 << 20

    /// At least one certificate.
    func certificates() throws(CommandFailure) -> [Certificate] {
        do throws(CommandFailure) {
            return try read()
        } catch {
            throw error.suggesting(error.hint ?? member.map { "check the member \($0)" })
        }
    }

    private func read() throws(CommandFailure) -> [Certificate] {
        // An empty path is refused by the reader of the configuration.
        guard let file = FilePath(argument: path) else { return [] }
        let pem = try file.contents(atMost: Self.maximumByteCount)
        do throws(CryptographyFailure) {
            let certificates = try Certificate.all(inPEM: pem)
            if !certificates.isEmpty { return certificates }
        } catch {
            if let failure = SystemFailure(cause: error) { throw CommandFailure(failure) }
            throw CommandFailure(.malformedInput, "\(path) has an unreadable certificate")
        }
        throw CommandFailure(.malformedInput, "\(path) has no certificate in PEM")
    }
}
