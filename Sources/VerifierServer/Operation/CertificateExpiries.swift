import PrivateFiles
import Storage
import StrictJSON
import TransactionApproval
import Verification

/// When the certificates that a node uses expire.
///
/// An endpoint keeps the certificate that it loaded, so a renewed file counts after its reload.
/// libpq and libcurl read their files for each connection.
package final class CertificateExpiries: Sendable {
    private let unloadedFiles: [String]
    /// By file.
    private let loaded: LockedValue<[String: CertificateExpiry]>

    /// Without TLS.
    package init() {
        (unloadedFiles, loaded) = ([], LockedValue([:]))
    }

    /// For endpoints that have just loaded their files.
    package init(of configuration: VerifierServer.Configuration) {
        let endpointFiles = configuration.endpointCertificateFiles
        unloadedFiles = configuration.otherCertificateFiles.filter { !endpointFiles.contains($0) }
        loaded = LockedValue([:])
        for file in endpointFiles { noteLoading(of: file) }
    }

    /// Called after an endpoint loaded the file.
    func noteLoading(of file: String) {
        let expiry = CertificateExpiry(ofFile: file)
        loaded.withLock { $0[file] = expiry }
    }

    /// Of each file, sorted.
    var all: [CertificateExpiry] {
        let expiries = loaded.withLock { Array($0.values) }
        return (expiries + unloadedFiles.compactMap(CertificateExpiry.init(ofFile:)))
            .sorted { $0.file < $1.file }
    }

    /// One line for each file.
    func warnings(at now: Timestamp) -> [String] {
        all.filter { $0.isNear(at: now) }.map { expiry in
            "\(expiry.name) \(expiry.isOver(at: now) ? "expired" : "expires") at \(expiry.end.rfc3339)"
        }
    }

    func report(to log: Log, at now: Timestamp = .ofWallClock) {
        for expiry in all where expiry.isNear(at: now) {
            log.write(
                .error,
                expiry.isOver(at: now) ? "certificate expired" : "certificate expires soon",
                ["certificate": .string(expiry.name), "end": .string(expiry.end.rfc3339)]
            )
        }
    }
}

extension VerifierServer.Configuration {
    fileprivate var endpointCertificateFiles: [String] {
        [api.tls, operation?.tls].compactMap { $0?.certificate }
    }

    /// The files of CA and client certificates, each once.
    package var otherCertificateFiles: [String] {
        var files = webhooks.compactMap(\.authorities)
        if case .postgreSQL(let connection) = store {
            files += PostgresDatabase.certificateFiles(of: connection)
        }
        return Set(files).sorted()
    }
}
