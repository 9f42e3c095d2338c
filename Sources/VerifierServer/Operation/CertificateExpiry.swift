package import Cryptography
import PrivateFiles
import ServerOperation
package import TransactionApproval

/// A file of certificates that the configuration names.
package struct CertificateFile: Hashable, Sendable {
    package enum Content: Sendable {
        /// The certificates of one owner: the file is of use until the first of them expires.
        case chain
        /// CA certificates: the file is of use until the last of them expires.
        case authorities
    }

    package let path: String
    package let content: Content

    package init(_ content: Content, at path: String) {
        (self.path, self.content) = (path, content)
    }
}

/// The end of the certificate after which a file is of no use.
package struct CertificateExpiry: Equatable, Sendable {
    /// How early an expiry is reported.
    package static let notice = Duration.seconds(30 * 24 * 60 * 60)

    package let file: String
    /// The place of the certificate in the file, from 1.
    package let place: Int
    package let end: Timestamp

    /// Returns nil if there is no certificate.
    package init?(of certificates: [Certificate], in file: CertificateFile) {
        let ends = certificates.map(\.end)
        let end =
            switch file.content {
            case .chain: ends.min()
            case .authorities: ends.max()
            }
        guard let end, let index = ends.firstIndex(of: end) else { return nil }
        (self.file, self.end, place) = (file.path, end, index + 1)
    }

    /// Returns nil if the file has no readable certificate.
    init?(of file: CertificateFile) {
        // `try?`: the program that uses the file reports why it is not readable.
        guard
            let text = try? FileDescriptor(reading: file.path).contents(atMost: Self.maximumBytes),
            let certificates = try? Certificate.all(inPEM: text)
        else { return nil }
        self.init(of: certificates, in: file)
    }

    private static let maximumBytes = 1 << 20

    /// The file, and the place of a certificate behind the first one.
    package var name: String { place == 1 ? file : "certificate \(place) in \(file)" }

    func isNear(at now: Timestamp) -> Bool { end.elapsed(since: now) < Self.notice }

    func isOver(at now: Timestamp) -> Bool { end <= now }
}
