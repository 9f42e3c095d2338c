import CommandLineTool
import Cryptography
import ServerOperation
import Transactions

extension Diagnostics {
    /// Renewing a certificate can take weeks.
    private static let warningTime = Duration.seconds(30 * 86_400)

    /// The certificates that have ended, or end soon.
    func validityFindings() -> [Finding] {
        let findings =
            chainFiles.map { path in
                finding("certificates") { () throws(CommandFailure) in
                    for certificate in try CertificateFile(path).certificates() {
                        try checkEnd(of: certificate, in: path)
                    }
                }
            }
            + authorityFiles.map { path in
                finding("certificates") { () throws(CommandFailure) in
                    let certificates = try CertificateFile(path).certificates()
                    // While a CA is replaced, the file has the old certificate, too.
                    guard let last = certificates.max(by: { $0.ends < $1.ends }) else { return }
                    try checkEnd(of: last, in: path)
                }
            }
        let clients = finding("certificates") { () throws(CommandFailure) in try checkIssuers() }
        let problems = (findings + [clients]).filter { $0.failure != nil }
        return problems.isEmpty ? Array(findings.prefix(1)) : problems
    }

    /// Of the ACS and of the directory servers: every certificate of a file is used.
    private var chainFiles: [String] {
        let directories = configuration.directories.flatMap {
            [$0.signing.certificates, $0.client.certificate, $0.clients]
        }
        return (directories + tls.map(\.certificate)).withoutRepetitions
    }

    /// Of CAs.
    private var authorityFiles: [String] {
        let ofServers = [
            configuration.verifier.authorities, configuration.notifications?.authorities,
        ]
        let authorities =
            configuration.directories.map(\.authorities) + tls.compactMap(\.clientAuthorities)
            + ofServers.compactMap { $0 }
        return authorities.withoutRepetitions
    }

    private var tls: [TLSFiles] { configuration.listeners.compactMap(\.settings.tls) }

    private func checkEnd(
        of certificate: Certificate,
        in path: String
    ) throws(CommandFailure) {
        let end = Timestamp(milliseconds: UInt64(max(0, certificate.ends)) * 1000) ?? .latest
        let left = end.elapsed(since: .ofWallClock)
        guard left < Self.warningTime else { return }
        let verb = left <= .zero ? "ended" : "ends"
        throw CommandFailure(
            .malformedInput,
            "a certificate in \(path) \(verb) at \(end.rfc3339)",
            hint: "replace it, and restart countersign-acs run"
        )
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

extension [String] {
    fileprivate var withoutRepetitions: [String] {
        reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }
}
