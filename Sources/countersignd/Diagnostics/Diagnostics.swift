import CommandLineTool
import TransactionApproval

/// Checks all parts of an installation; a problem in one part does not prevent the other checks.
struct Diagnostics: Sendable {
    enum Area: String, CaseIterable {
        case configuration, keys, store, journal, clock, disk, certificates, server, deliveries
        case tokens
    }

    /// How early an expiry is reported.
    static let notice = Duration.seconds(14 * 24 * 60 * 60)

    let installation: Installation
    /// Nil for the system's trust store.
    let caCertificates: FilePath?
    let now = Timestamp.now

    var configuration: Configuration { installation.configuration }

    func findings(in area: Area) async -> [Finding] {
        do throws(CommandFailure) {
            return switch area {
            // It was parsed before.
            case .configuration: []
            case .keys: keyFindings()
            case .store: try await storeFindings()
            case .journal: try await journalFindings()
            case .clock: try await clockFindings()
            case .disk: diskFindings()
            case .certificates: try certificateFindings()
            case .server: try await serverFindings()
            case .deliveries: try await deliveryFindings()
            case .tokens: try await tokenFindings()
            }
        } catch {
            return [Finding(area, error)]
        }
    }
}
