import CommandLineTool
import TransactionApproval
import Verification

/// Looks at every part of an installation; what is wrong with one keeps no other from being looked at.
struct Diagnostics: Sendable {
    enum Part: String, CaseIterable {
        case configuration, keys, store, journal, clock, disk, certificates, server, deliveries
        case tokens
    }

    /// For things that somebody has to make in time.
    static let notice = Duration.seconds(14 * 24 * 60 * 60)

    let installation: Installation
    /// Who vouches for the server, if not those whom the system trusts.
    let authorities: FilePath?
    /// By the clock of this machine.
    let now = VerifierClock.system(notBefore: .earliest).now

    var configuration: Configuration { installation.configuration }

    func findings(in part: Part) async -> [Finding] {
        do throws(CommandFailure) {
            return switch part {
            // It was read, or there would be no examination.
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
            return [Finding(part, error)]
        }
    }
}
