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
        let clients = finding("certificates") { () throws(CommandFailure) in try checkIssuers() }
        let problems = (findings + [clients]).filter { $0.failure != nil }
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

    /// Whether each directory server can connect with its certificates.
    private func checkIssuers() throws(CommandFailure) {
        let member = "server.directories.tls.clientAuthorities"
        guard let path = configuration.server.directories.tls?.clientAuthorities else { return }
        let authorities = try CertificateFile(path, namedBy: member).certificates()
        for directory in configuration.directories {
            let clients = try CertificateFile(directory.clients).certificates()
            for certificate in clients {
                // The check of the validity names it.
                guard Timestamp.ofWallClock.isBefore(certificate.ends) else { continue }
                let refusal = try onCryptography(
                    try certificate.refusal(ofClientBelow: authorities, through: clients)
                )
                guard let refusal else { continue }
                throw CommandFailure(
                    .malformedInput,
                    "the directory \(directory.rid) cannot connect with a certificate in "
                        + "\(directory.clients): \(refusal)",
                    hint:
                        "it needs the extended key usage clientAuth, and the certificate of the CA that "
                        + "issued it in \(member), or in this file if the directory sends it"
                )
            }
        }
    }
}

private func onCryptography<Outcome>(
    _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
) throws(CommandFailure) -> Outcome {
    try translatingSystemFailure(body(), to: CommandFailure.init(_:))
}

extension Timestamp {
    /// `seconds` are since 1970.
    fileprivate func isBefore(_ seconds: Int64) -> Bool {
        Int64(milliseconds) / 1000 < seconds
    }
}
