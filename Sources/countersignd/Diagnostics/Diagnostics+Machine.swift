import CommandLineTool
import Cryptography
import OneTimePassword
import TransactionApproval
import VerifierServer

extension Diagnostics {
    /// Some hours of a busy verifier, in which somebody can make more.
    private static let minimumFreeMiB = 256
    private static let minimumFreeFiles = 100

    func diskFindings() -> [Finding] {
        var places = [configuration.journal]
        if case .sqlite(let path) = configuration.store { places.append(path) }
        return places.compactMap { path in
            let folder = folder(of: path)
            let volume = Volume(of: path, holding: folder.isEmpty ? "." : folder)
            // That the file cannot be reached is told where it is opened.
            guard let bytes = volume.freeBytes else { return nil }
            let free = bytes >> 20
            let hasFiles = (volume.freeFiles ?? .max) >= Self.minimumFreeFiles
            guard free < Self.minimumFreeMiB || !hasFiles else { return nil }
            return Finding(
                .disk,
                hasFiles
                    ? "the disk of \(path) has \(free) MiB left"
                    : "the disk of \(path) has no room for more files",
                "make space: what cannot be kept is not decided"
            )
        }
    }

    func certificateFindings() throws(CommandFailure) -> [Finding] {
        var findings: [Finding] = []
        if let server = configuration.server {
            findings += try faults(of: server.listening, for: server.origin.host)
        }
        if let operation = configuration.operation {
            findings += try faults(of: operation, for: nil)
        }
        return findings
    }

    private func faults(
        of listening: Configuration.Listening,
        for host: String?
    ) throws(CommandFailure) -> [Finding] {
        guard let tls = listening.tls else { return [] }
        try installation.onServer { () throws(VerifierServer.Failure) in
            try VerifierServer.Configuration.TLS(tls).checkKey()
        }
        guard let file = FilePath(argument: tls.certificate) else { return [] }
        let text = try file.contents(atMost: 1 << 20)
        let problem: String?
        do throws(CryptographyFailure) {
            problem =
                try Certificate(pem: text).map { certificate throws(CryptographyFailure) in
                    try fault(of: certificate, for: host)
                } ?? "holds no certificate in PEM"
        } catch {
            throw CommandFailure(SystemFailure(error))
        }
        return problem.map { problem in
            Finding(
                .certificates,
                "\(tls.certificate) \(problem)",
                "put the next one in its place, and send SIGHUP to countersignd run"
            )
        }.map { [$0] } ?? []
    }

    /// Nil where it is good.
    private func fault(
        of certificate: Certificate,
        for host: String?
    ) throws(CryptographyFailure) -> String? {
        let moment = Int64(now.milliseconds / 1000)
        if certificate.begins > moment { return "is not good yet" }
        if certificate.ends <= moment { return "is good no more" }
        let rest = Duration.seconds(certificate.ends - moment)
        if rest < Self.notice { return "is good for \(roughly(rest)) more" }
        if let host, try !certificate.names(host) { return "is not that of \(host)" }
        return nil
    }
}

extension ServerOrigin {
    /// Without scheme and port.
    var host: String {
        let rest = text.drop { $0 != "/" }.drop { $0 == "/" }
        return String(rest.prefix { $0 != ":" })
    }
}
