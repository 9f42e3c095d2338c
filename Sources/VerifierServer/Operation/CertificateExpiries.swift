import PrivateFiles
package import ServerOperation
import Storage
import StrictJSON
import TransactionApproval
import Verification

/// When the certificates that a node uses expire.
///
/// An endpoint keeps the certificate that it loaded, so a renewed file counts after its reload.
/// libpq and libcurl read their files for each connection; here they are read once a day, and after
/// SIGHUP.
package final class CertificateExpiries: Sendable {
    private let otherFiles: [CertificateFile]
    /// By path.
    private let known: LockedValue<[String: CertificateExpiry]>

    /// Without TLS.
    package init() {
        (otherFiles, known) = ([], LockedValue([:]))
    }

    /// For endpoints that have just loaded their files.
    package init(of configuration: VerifierServer.Configuration) {
        let endpoints = [configuration.api, configuration.bank, configuration.operation]
        let settings = endpoints.compactMap { $0?.tls?.files }
        let endpointFiles = settings.flatMap(\.certificateFiles).map(\.path)
        otherFiles = configuration.otherCertificateFiles.filter {
            !endpointFiles.contains($0.path)
        }
        known = LockedValue([:])
        for tls in settings { noteLoading(of: tls) }
        for file in otherFiles { read(file) }
    }

    /// Called after an endpoint loaded its files.
    func noteLoading(of tls: TLSFiles) {
        for file in tls.certificateFiles { read(file) }
    }

    /// A file that is not readable keeps the value that it had.
    private func read(_ file: CertificateFile) {
        guard let expiry = CertificateExpiry(of: file) else { return }
        known.withLock { $0[file.path] = expiry }
    }

    /// Of each file, sorted.
    var all: [CertificateExpiry] { known.withLock { $0.values.sorted { $0.file < $1.file } } }

    /// One line for each file.
    func warnings(at now: Timestamp) -> [String] {
        all.filter { $0.isNear(at: now) }.map { expiry in
            "\(expiry.name) \(expiry.isOver(at: now) ? "expired" : "expires") at \(expiry.end.rfc3339)"
        }
    }

    func report(to log: Log, at now: Timestamp = .ofWallClock) {
        for file in otherFiles { read(file) }
        for expiry in all where expiry.isNear(at: now) {
            log.write(
                .error,
                expiry.isOver(at: now) ? "certificate expired" : "certificate expires soon",
                ["certificate": .string(expiry.name), "end": .string(expiry.end.rfc3339)]
            )
        }
    }
}

extension TLSFiles {
    package var certificateFiles: [CertificateFile] {
        [CertificateFile(.chain, at: certificate)]
            + (clientAuthorities.map { [CertificateFile(.authorities, at: $0)] } ?? [])
    }
}

extension VerifierServer.Configuration {
    /// The files of CA and client certificates, each once.
    package var otherCertificateFiles: [CertificateFile] {
        let ofReceivers = webhooks.map(\.authorities) + [push.web?.authorities]
        var files = ofReceivers.compactMap { $0 }.map { CertificateFile(.authorities, at: $0) }
        if case .postgreSQL(let connection) = store {
            let (client, authorities) = PostgresDatabase.certificateFiles(of: connection)
            files += client.map { [CertificateFile(.chain, at: $0)] } ?? []
            files += authorities.map { [CertificateFile(.authorities, at: $0)] } ?? []
        }
        return Set(files).sorted { $0.path < $1.path }
    }
}
