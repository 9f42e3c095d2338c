import CommandLineTool
import TransactionApproval

/// Checks all parts of an installation; a problem in one part does not prevent the other checks.
struct Diagnostics: Sendable {
    enum Area: String, CaseIterable {
        case configuration, keys, store, journal, clock, disk, certificates, server, deliveries
        case tokens
    }

    /// How early the expiry of a token is reported.
    static let notice = Duration.seconds(14 * 24 * 60 * 60)

    let installation: Installation
    /// Nil for the system's trust store.
    let caCertificates: FilePath?
    let now = Timestamp.now

    var configuration: Configuration { installation.configuration }

    func findings(in area: Area) async -> [Finding] {
        switch area {
        // It was parsed before.
        case .configuration:
            addressFindings() + (await findings(in: area, by: webFindings))
        case .keys: keyFindings()
        case .store: await findings(in: area, by: storeFindings)
        case .journal: await findings(in: area, by: journalFindings)
        case .clock:
            synchronizationFindings() + (await findings(in: area, by: storeClockFindings))
        case .disk: diskFindings()
        case .certificates: await certificateFindings()
        case .server: await findings(in: area, by: serverFindings)
        case .deliveries: await findings(in: area, by: deliveryFindings)
        case .tokens: await findings(in: area, by: tokenFindings)
        }
    }

    /// The findings of a check, or its failure as the only finding.
    func findings(
        in area: Area,
        by check: () async throws(CommandFailure) -> [Finding]
    ) async -> [Finding] {
        do throws(CommandFailure) {
            return try await check()
        } catch {
            return [Finding(area, error)]
        }
    }
}
