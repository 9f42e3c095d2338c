import CommandLineTool
import ConfigurationFiles
import ServerOperation

/// Loads every file that the configuration names, as the server does.
struct Diagnostics {
    struct Finding: Equatable {
        let part: String
        /// Nil if the part can be used.
        let failure: CommandFailure?
        /// Instead of "ok".
        var note: String?
    }

    let configuration: Configuration

    static let keysPart = "encryption keys"

    /// The files first: without them, neither the store nor the verifier can be reached.
    func findings() async -> [Finding] {
        let files = fileFindings()
        guard files.allSatisfy({ $0.failure == nil }) else { return files }
        let store = await storeState()
        let isReportedAgain = store.findings.contains { $0.part == Self.keysPart }
        return files.filter { !isReportedAgain || $0.part != Self.keysPart } + validityFindings()
            + store.findings
            + (await verifierFindings(store.cards))
    }

    private func fileFindings() -> [Finding] {
        var findings = [
            finding(Self.keysPart) { () throws(CommandFailure) in
                try configuration.encryptionKeys.check()
            },
            finding("verifier") { () throws(CommandFailure) in
                _ = try configuration.verifier.accessToken(of: configuration.enterprise)
                try configuration.verifier.checkCertificates()
            },
        ]
        let directories = configuration.directories.map { directory in
            finding("directory \(directory.rid)") { () throws(CommandFailure) in
                _ = try directory.credentials()
            }
        }
        findings += directories
        if directories.allSatisfy({ $0.failure == nil }) {
            findings.append(
                finding("directories") { () throws(CommandFailure) in
                    try configuration.checkClients()
                }
            )
        }
        findings += configuration.listeners.map { listener in
            finding(listener.section) { () throws(CommandFailure) in try check(listener) }
        }
        if let issuer = configuration.issuer {
            findings.append(
                finding("issuer's token") { () throws(CommandFailure) in
                    _ = try issuer.accessToken()
                }
            )
        }
        if let notifications = configuration.notifications {
            findings.append(
                finding("notifications") { () throws(CommandFailure) in
                    _ = try notifications.webhook()
                }
            )
        }
        return findings
    }

    func finding(
        _ part: String,
        _ check: () throws(CommandFailure) -> Void
    ) -> Finding {
        do throws(CommandFailure) {
            try check()
            return Finding(part: part, failure: nil)
        } catch {
            return Finding(part: part, failure: error)
        }
    }

    private func check(_ listener: NamedListener) throws(CommandFailure) {
        do throws(ListenerFailure) {
            try listener.settings.check()
        } catch {
            let failure = CommandFailure(error, of: listener.section)
            let start = "\(listener.section): "
            guard failure.message.hasPrefix(start) else { throw failure }
            // The finding names the section, too.
            let message = String(failure.message.dropFirst(start.count))
            throw CommandFailure(failure.exitCode, message, hint: failure.hint)
        }
    }
}
