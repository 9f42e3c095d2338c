import Cryptography
import TransactionApproval

extension AuthenticationHandler {
    /// The account that can check the PIN of an activation, and the lost ones that it sets up again.
    ///
    /// Throws `accountAlreadyActivated` if the activation names a usable account of another server: a
    /// server cannot replace it. The server of a lost account confirms the loss.
    func predecessors(
        of activation: ActivationInProgress
    ) async throws(AuthenticationError) -> (existing: OpenAccount?, lost: [OpenAccount]) {
        let ready = try accountsWithPIN(for: activation)
        let lost = try await lostAccounts(of: activation)
        return (try await account(among: ready, checkingPINFor: activation, except: lost), lost)
    }

    private func lostAccounts(
        of activation: ActivationInProgress
    ) async throws(AuthenticationError) -> [OpenAccount] {
        var lost: [OpenAccount] = []
        for account in try activeAccounts() where activation.replaces(account.record) {
            let isOfAnotherServer = account.record.server != activation.server.origin
            do throws(AuthenticationError) {
                if try await isLost(account) {
                    lost.append(account)
                    continue
                }
            } catch  where isOfAnotherServer && error.meansNoConnection {
                // Without its server, nothing confirms a loss.
            }
            if isOfAnotherServer { throw AuthenticationError(.accountAlreadyActivated) }
        }
        return lost
    }

    /// The first account that can check the PIN; nil if all accounts are lost.
    ///
    /// An outage of one server does not matter if an account of another one can check it. But a sibling
    /// must check it if there is one: the new accounts share its count of wrong codes.
    private func account(
        among groups: [[OpenAccount]],
        checkingPINFor activation: ActivationInProgress,
        except lost: [OpenAccount]
    ) async throws(AuthenticationError) -> OpenAccount? {
        for accounts in groups {
            let found = try await account(checkingPINAmong: accounts) {
                account async throws(AuthenticationError) in
                activation.replaces(account.record)
                    ? lost.contains { $0.record.device == account.record.device }
                    : try await isLost(account)
            }
            if let found { return found }
        }
        return nil
    }

    /// The first of these accounts that is not lost; nil if all are.
    func account(
        checkingPINAmong accounts: [OpenAccount],
        exceptIf isLost: (OpenAccount) async throws(AuthenticationError) -> Bool
    ) async throws(AuthenticationError) -> OpenAccount? {
        var failure: AuthenticationError?
        for account in accounts {
            do throws(AuthenticationError) {
                if try await !isLost(account) { return account }
            } catch  where !error.isOfVault {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// Whether only a new activation makes the account usable again.
    ///
    /// The bank revoked the device, the PIN is locked permanently, or the verifier and the device have
    /// different secrets.
    func isLost(_ account: OpenAccount) async throws(AuthenticationError) -> Bool {
        do throws(AuthenticationError) {
            let status = try await refresh(account)
            guard let user = status.credentials.first(where: { $0.kind == .user }) else {
                return false
            }
            let held = try self.account(account.record.device).record.user.ingredients.generation
            return user.lock == .never || user.position.generation != held
        } catch  where error.meansDeviceIsGone {
            return true
        }
    }
}
