import CommandLineTool
import Cryptography
import ServerOperation
import Transactions

extension Diagnostics {
    /// Renewing a certificate can take weeks.
    private static let warningTime = Duration.seconds(30 * 86_400)

    /// The certificates that have ended, or end soon.
    func validityFindings() -> [Finding] {
        let findings = certificateFiles.map { path in
            finding("certificates") { () throws(CommandFailure) in try checkValidity(path) }
        }
        let problems = findings.filter { $0.failure != nil }
        return problems.isEmpty ? Array(findings.prefix(1)) : problems
    }

    /// Of the ACS, of the directory servers and of their CAs; a file that two members name comes
    /// once.
    private var certificateFiles: [String] {
        let directories = configuration.directories.map {
            [$0.signing.certificates, $0.client.certificate, $0.clients, $0.authorities]
        }
        let listeners = configuration.listeners.compactMap(\.settings.tls)
            .map { [$0.certificate, $0.clientAuthorities] }
        let files = (directories + listeners).joined().compactMap { $0 }
        return files.reduce(into: []) { files, file in
            if !files.contains(file) { files.append(file) }
        }
    }

    private func checkValidity(_ path: String) throws(CommandFailure) {
        for certificate in try CertificateFile(path).certificates() {
            let end = Timestamp(milliseconds: UInt64(max(0, certificate.ends)) * 1000) ?? .latest
            let left = end.elapsed(since: .ofWallClock)
            guard left < Self.warningTime else { continue }
            let verb = left <= .zero ? "ended" : "ends"
            throw CommandFailure(
                .malformedInput,
                "a certificate in \(path) \(verb) at \(end.rfc3339)",
                hint: "replace it, and restart countersign-acs run"
            )
        }
    }
}
