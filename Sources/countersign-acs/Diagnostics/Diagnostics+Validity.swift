import CommandLineTool
import ConfigurationFiles
import Cryptography
import ServerOperation
import TransactionApproval
import Transactions

extension Diagnostics {
    /// Renewing a certificate can take weeks.
    private static let warningTime = Duration.seconds(30 * 86_400)

    /// The certificates that are not valid now, end soon, or are for another use or host.
    func validityFindings() -> [Finding] {
        let findings =
            chains.map { chain in
                finding("certificates") { () throws(CommandFailure) in try check(chain) }
            }
            + authorityFiles.map { file in
                finding("certificates") { () throws(CommandFailure) in try checkAuthorities(file) }
            }
        let clients = finding("certificates") { () throws(CommandFailure) in try checkIssuers() }
        let problems = (findings + [clients]).filter { $0.failure != nil }
        return problems.isEmpty ? Array(findings.prefix(1)) : problems.withoutRepetitions
    }

    /// Of the ACS and of the directory servers: every certificate of a file is used.
    private var chains: [CertificateChain] {
        let directories = configuration.directories.flatMap { directory in
            [
                CertificateChain(path: directory.signing.certificates, use: .signature),
                CertificateChain(path: directory.client.certificate, use: .client),
                CertificateChain(path: directory.clients),
            ]
        }
        let listeners = configuration.listeners.compactMap { listener in
            listener.settings.tls.map { tls in
                let isPublic = listener.section == "server.challenges"
                return CertificateChain(
                    path: tls.certificate,
                    use: .server,
                    host: isPublic ? configuration.server.origin.host : nil,
                    renewal: .reload
                )
            }
        }
        let client = configuration.verifier.client.map { client in
            CertificateChain(path: client.certificate, use: .client)
        }
        return directories + [client].compactMap { $0 } + listeners
    }

    /// Of CAs.
    private var authorityFiles: [AuthorityFile] {
        let tls = configuration.listeners.compactMap(\.settings.tls)
        let ofServers = [
            configuration.verifier.authorities, configuration.notifications?.authorities,
        ]
        let read = configuration.directories.map(\.authorities) + ofServers.compactMap { $0 }
        return tls.compactMap(\.clientAuthorities).map { AuthorityFile(path: $0, renewal: .reload) }
            + read.map { AuthorityFile(path: $0, renewal: .restart) }
    }

    private func check(_ chain: CertificateChain) throws(CommandFailure) {
        let certificates = try CertificateFile(chain.path).certificates()
        for certificate in certificates {
            try checkBegin(of: certificate, in: chain.path)
            try checkEnd(of: certificate, in: chain.path, chain.renewal)
        }
        guard let own = certificates.first else { return }
        if let use = chain.use, !own.permits(use) {
            throw CommandFailure(
                .malformedInput,
                "the certificate in \(chain.path) is not for \(use.name)",
                hint: "it needs \(use.requirement)"
            )
        }
        if let host = chain.host, !own.names(host) {
            throw CommandFailure(
                .malformedInput,
                "the certificate in \(chain.path) is not valid for \(host)",
                hint: "it needs the host of server.challenges.origin as a subject alternative name"
            )
        }
    }

    private func checkAuthorities(_ file: AuthorityFile) throws(CommandFailure) {
        let certificates = try CertificateFile(file.path).certificates()
        // While a CA is replaced, the file has the old certificate, too.
        let begun = certificates.filter { !$0.isFuture }
        guard let last = begun.max(by: { $0.ends < $1.ends }) else {
            if let first = certificates.first { try checkBegin(of: first, in: file.path) }
            return
        }
        try checkEnd(of: last, in: file.path, file.renewal)
    }

    private func checkBegin(
        of certificate: Certificate,
        in path: String
    ) throws(CommandFailure) {
        guard certificate.isFuture else { return }
        throw CommandFailure(
            .malformedInput,
            "a certificate in \(path) is not valid before \(certificate.begin.rfc3339)",
            hint: "use one that is valid now, and check the clock of this machine"
        )
    }

    private func checkEnd(
        of certificate: Certificate,
        in path: String,
        _ renewal: Renewal
    ) throws(CommandFailure) {
        let left = certificate.end.elapsed(since: .ofWallClock)
        guard left < Self.warningTime else { return }
        let verb = left <= .zero ? "ended" : "ends"
        throw CommandFailure(
            .malformedInput,
            "a certificate in \(path) \(verb) at \(certificate.end.rfc3339)",
            hint: "replace it, and \(renewal.rawValue)"
        )
    }

    /// Whether each directory server can connect with its certificates.
    private func checkIssuers() throws(CommandFailure) {
        let member = "server.directories.tls.clientAuthorities"
        guard let path = configuration.server.directories.tls?.clientAuthorities else { return }
        let authorities = try CertificateFile(path, namedBy: member).certificates()
            .filter(\.isValid)
        // The check of the validity names the file.
        guard !authorities.isEmpty else { return }
        for directory in configuration.directories {
            let chain = try CertificateFile(directory.clients).certificates()
            for certificate in chain.withoutIssuers {
                // The check of the validity names it.
                guard certificate.isValid else { continue }
                let refusal = try onCryptography(
                    try certificate.refusal(ofClientBelow: authorities, through: chain)
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

/// A file with the certificate of one owner, and its chain.
private struct CertificateChain {
    let path: String
    /// Of the first certificate; nil for the certificates of other programs.
    var use: Certificate.Use?
    /// The host that the first certificate must name.
    var host: String?
    var renewal = Renewal.restart
}

private struct AuthorityFile {
    let path: String
    let renewal: Renewal
}

/// How the ACS gets to use a new file.
private enum Renewal: String {
    case reload = "send SIGHUP to countersign-acs run"
    case restart = "restart countersign-acs run"
}

extension Certificate.Use {
    fileprivate var name: String {
        switch self {
        case .server: "a server with TLS"
        case .client: "a client with TLS"
        case .signature: "signatures"
        }
    }

    fileprivate var requirement: String {
        switch self {
        case .server: "the extended key usage serverAuth, and the key usage digitalSignature"
        case .client: "the extended key usage clientAuth, and the key usage digitalSignature"
        case .signature: "the key usage digitalSignature"
        }
    }
}

extension [Diagnostics.Finding] {
    /// Two parts can use one file.
    fileprivate var withoutRepetitions: [Element] {
        reduce(into: []) { findings, finding in
            if !findings.contains(finding) { findings.append(finding) }
        }
    }
}
