package import Cryptography
import PrivateFiles
package import TransactionApproval

/// The end of the certificate in a file that expires first: of a chain, every certificate counts.
package struct CertificateExpiry: Equatable, Sendable {
    /// How early an expiry is reported.
    package static let notice = Duration.seconds(30 * 24 * 60 * 60)

    package let file: String
    /// The place of the certificate in the file, from 1.
    package let place: Int
    package let end: Timestamp

    /// Returns nil if there is no certificate.
    package init?(of certificates: [Certificate], in file: String) {
        let ends = certificates.map { Timestamp.earliest + .seconds($0.ends) }
        guard let end = ends.min(), let index = ends.firstIndex(of: end) else { return nil }
        (self.file, self.end, place) = (file, end, index + 1)
    }

    /// Returns nil if the file has no readable certificate.
    init?(ofFile path: String) {
        // `try?`: the program that uses the file reports why it is not readable.
        guard
            let text = try? FileDescriptor(reading: path).contents(atMost: Self.maximumBytes),
            let certificates = try? Certificate.all(inPEM: text)
        else { return nil }
        self.init(of: certificates, in: path)
    }

    private static let maximumBytes = 1 << 20

    /// The file, and the place of a certificate behind the first one.
    package var name: String { place == 1 ? file : "certificate \(place) in \(file)" }

    func isNear(at now: Timestamp) -> Bool { end.elapsed(since: now) < Self.notice }

    func isOver(at now: Timestamp) -> Bool { end <= now }
}
