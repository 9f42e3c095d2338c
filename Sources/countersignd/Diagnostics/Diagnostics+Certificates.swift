import CommandLineTool
import ConfigurationFiles
import Cryptography
import HTTPServer
import ServerOperation
import TransactionApproval
import VerifierServer

extension Diagnostics {
    private typealias Endpoint = VerifierServer.Failure.Endpoint

    func certificateFindings() async -> [Finding] {
        var found = await findings(of: .api, configuration.api.tls)
        found += await findings(of: .bank, configuration.bank?.tls)
        found += await findings(of: .operation, configuration.operation?.tls)
        for file in configuration.verifier.otherCertificateFiles {
            found += await findings(in: .certificates) { () throws(CommandFailure) in
                try validityFindings(of: file, host: nil, hint: "replace it")
            }
        }
        return found
    }

    private func findings(
        of endpoint: Endpoint,
        _ tls: VerifierServer.Configuration.TLS?
    ) async -> [Finding] {
        guard let tls = tls?.files else { return [] }
        let host = endpoint == .api ? configuration.origin?.host : nil
        var found: [Finding] = []
        var reported: Set<String> = []
        for file in tls.certificateFiles {
            let problems = await findings(in: .certificates) { () throws(CommandFailure) in
                try validityFindings(
                    of: file,
                    host: file.content == .chain ? host : nil,
                    hint: "replace it, and send SIGHUP to countersignd run"
                )
            }
            if problems.contains(where: { $0.level == .error }) { reported.insert(file.path) }
            found += problems
        }
        return found + keyFindings(of: endpoint, tls, without: reported)
    }

    /// `reported`: the files of certificates that have a finding already.
    private func keyFindings(
        of endpoint: Endpoint,
        _ tls: TLSFiles,
        without reported: Set<String>
    ) -> [Finding] {
        do throws(ListenerFailure) {
            try tls.check()
            return []
        } catch {
            switch error {
            case .unreadableFile(_, let path, _) where reported.contains(path),
                .server(.unreadableCertificate(let path)) where reported.contains(path),
                .server(.unreadableAuthorities(let path)) where reported.contains(path):
                return []
            default: return [Finding(.certificates, CommandFailure(error, of: endpoint.section))]
            }
        }
    }

    private func validityFindings(
        of certificateFile: CertificateFile,
        host: String?,
        hint: String
    ) throws(CommandFailure) -> [Finding] {
        let path = certificateFile.path
        guard let file = FilePath(argument: path) else { return [] }
        let text = try file.contents(atMost: 1 << 20)
        let certificates: [Certificate]
        do throws(CryptographyFailure) {
            certificates = try Certificate.all(inPEM: text)
        } catch {
            if let failure = SystemFailure(cause: error) { throw CommandFailure(failure) }
            return [Finding(.certificates, "\(path) has an unreadable certificate", hint: hint)]
        }
        guard let first = certificates.first,
            let expiry = CertificateExpiry(of: certificates, in: certificateFile)
        else {
            return [Finding(.certificates, "\(path) contains no certificate in PEM", hint: hint)]
        }
        if first.begin > now {
            return [Finding(.certificates, "\(path) is not valid yet", hint: hint)]
        }
        let rest = expiry.end.elapsed(since: now)
        if rest <= .zero {
            return [Finding(.certificates, "\(expiry.name) has expired", hint: hint)]
        }
        if let host, !first.names(host) {
            return [Finding(.certificates, "\(path) is not valid for \(host)", hint: hint)]
        }
        guard rest < CertificateExpiry.notice else { return [] }
        let problem = "\(expiry.name) expires in \(roughly(rest))"
        return [Finding(warning: .certificates, problem, hint: hint)]
    }
}
