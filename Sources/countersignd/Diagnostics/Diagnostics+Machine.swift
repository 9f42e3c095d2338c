import CommandLineTool
import Cryptography
import TransactionApproval
import VerifierServer

extension Diagnostics {
    /// Enough for some hours of a busy verifier.
    private static let minimumFreeMiB = 256
    private static let minimumFreeFiles = 100

    func diskFindings() -> [Finding] {
        var places = [configuration.journal]
        if case .sqlite(let path) = configuration.store { places.append(path) }
        return places.compactMap { path in
            let folder = folder(of: path)
            let volume = Volume(of: path, holding: folder.isEmpty ? "." : folder)
            // Opening the file reports an inaccessible folder.
            guard let bytes = volume.freeBytes else { return nil }
            let free = bytes >> 20
            let hasFiles = (volume.freeFiles ?? .max) >= Self.minimumFreeFiles
            guard free < Self.minimumFreeMiB || !hasFiles else { return nil }
            return Finding(
                .disk,
                hasFiles
                    ? "the disk of \(path) has only \(free) MiB left"
                    : "the disk of \(path) has no free inodes",
                hint: "free some space: the verifier rejects requests that it cannot store"
            )
        }
    }

    func certificateFindings() throws(CommandFailure) -> [Finding] {
        try certificateFindings(configuration.api, host: configuration.origin?.host)
            + (configuration.operation.map { operation throws(CommandFailure) in
                try certificateFindings(operation, host: nil)
            } ?? [])
    }

    private func certificateFindings(
        _ endpoint: VerifierServer.Configuration.Endpoint,
        host: String?
    ) throws(CommandFailure) -> [Finding] {
        guard let tls = endpoint.tls else { return [] }
        try installation.onConfiguration(try tls.checkKey())
        guard let file = FilePath(argument: tls.certificate) else { return [] }
        let text = try file.contents(atMost: 1 << 20)
        let problem = try translatingSystemFailure(
            Certificate(pem: text).map { certificate throws(CryptographyFailure) in
                try self.problem(of: certificate, host: host)
            } ?? "contains no certificate in PEM",
            to: CommandFailure.init(_:)
        )
        guard let problem else { return [] }
        return [
            Finding(
                .certificates,
                "\(tls.certificate) \(problem)",
                hint: "replace it, and send SIGHUP to countersignd run"
            )
        ]
    }

    /// Nil for a valid certificate.
    private func problem(
        of certificate: Certificate,
        host: String?
    ) throws(CryptographyFailure) -> String? {
        let moment = Int64(now.milliseconds / 1000)
        if certificate.begins > moment { return "is not valid yet" }
        if certificate.ends <= moment { return "has expired" }
        let rest = Duration.seconds(certificate.ends - moment)
        if rest < Self.notice { return "expires in \(roughly(rest))" }
        if let host, try !certificate.names(host) { return "is not valid for \(host)" }
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
