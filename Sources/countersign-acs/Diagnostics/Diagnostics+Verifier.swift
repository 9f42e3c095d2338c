import CommandLineTool
import HTTPClient
import ThreeDSIssuer
import TransactionApproval
import Transactions

extension Diagnostics {
    /// Calls the verifier with the token, and compares its policy with the configuration.
    ///
    /// `account` is that of a card; nil if there is none.
    func verifierFindings(_ account: CardAccount?) async -> [Finding] {
        let access = configuration.verifier
        let inspection: VerifierInspection
        do throws(CommandFailure) {
            let client = try access.client(of: configuration.enterprise)
            do throws(VerifierFailure) {
                inspection = try await client.inspect(with: account?.key)
            } catch {
                throw CommandFailure(error, at: access.origin)
            }
        } catch {
            return [Finding(part: "verifier's API", failure: error)]
        }
        guard case .granted(let rules) = inspection else {
            let failure = CommandFailure(inspection, configuration, account)
            return [Finding(part: "verifier's API", failure: failure)]
        }
        let granted = Finding(part: "verifier's API", failure: nil)
        guard let rules else {
            let reason =
                account == nil ? "the store has no card" : "the verifier does not return it"
            return [granted, Finding(part: "policy", failure: nil, note: "not checked: \(reason)")]
        }
        return [granted] + policyFindings(rules)
    }

    private func policyFindings(_ rules: VerifierInspection.PolicyRules) -> [Finding] {
        let settings = configuration.settings
        var failures: [CommandFailure] = []
        if settings.approvalSeconds > rules.transactionSeconds {
            failures.append(
                CommandFailure(
                    .malformedInput,
                    "approvalSeconds is \(settings.approvalSeconds), but transactionSeconds of the "
                        + "policy is \(rules.transactionSeconds)",
                    hint: "lower approvalSeconds, or raise transactionSeconds with countersignd "
                        + "policy set"
                )
            )
        }
        for label in rules.missingLabels(by: settings) {
            failures.append(
                CommandFailure(
                    .malformedInput,
                    "the policy requires the field \(label), which a card payment does not have",
                    hint: "remove it from requiredFields of the policy"
                )
            )
        }
        if settings.offersDecoupled, rules.numberMatchingDigits > 0 {
            failures.append(
                CommandFailure(
                    .malformedInput,
                    "no decoupled purchase is possible, because the policy has numberMatchingDigits",
                    hint: "a shopper who does not wait sees no number: change one of the two"
                )
            )
        }
        guard !failures.isEmpty else { return [Finding(part: "policy", failure: nil)] }
        return failures.map { Finding(part: "policy", failure: $0) }
    }
}

extension CommandFailure {
    fileprivate init(_ failure: VerifierFailure, at origin: ServerOrigin) {
        let (message, hint) =
            switch failure {
            case .unreachable(.serverUntrusted):
                (
                    "the certificate of the verifier at \(origin.text) is not trusted",
                    "name the file of its CA certificates in verifier.authorities"
                )
            case .unreachable(.networkUnavailable(.handshake)):
                (
                    "the TLS handshake with \(origin.text) failed",
                    "check that verifier.origin is the address of the bank's API"
                )
            case .unreachable:
                (
                    "cannot connect to \(origin.text)",
                    "check that countersignd is running, and check verifier.origin"
                )
            case .unavailable:
                (
                    "the verifier at \(origin.text) is unavailable",
                    "read the log of countersignd run"
                )
            case .refused, .unreadable:
                (
                    "the response of \(origin.text) is not one of the bank's API",
                    "check that verifier.origin is the address of the bank's API"
                )
            }
        self.init(.inputOutput, message, hint: hint)
    }

    fileprivate init(
        _ inspection: VerifierInspection,
        _ configuration: Configuration,
        _ account: CardAccount?
    ) {
        let (enterprise, token) = (configuration.enterprise, configuration.verifier.token)
        let create = "countersignd token create acs cards --enterprise \(enterprise)"
        let (message, hint) =
            switch inspection {
            case .granted, .tokenRefused:
                (
                    "the verifier rejects the token in \(token)",
                    "create a new one with \(create), and replace the file"
                )
            case .otherRole:
                (
                    "the token in \(token) has another role than cards",
                    "create one with \(create), replace the file, and revoke the other one"
                )
            case .noEnterprise:
                (
                    "the verifier has no enterprise \(enterprise), or the token is for another one",
                    "check the member enterprise, and create the token with --enterprise"
                )
            case .noAccount:
                (
                    "the verifier has no account \(account.map { "\($0)" } ?? ""), which has a card",
                    "create the account, or remove the card with countersign-acs card remove"
                )
            case .refused(let code):
                ("the verifier refused the call: \(code)", "read the log of countersignd run")
            }
        self.init(.malformedInput, message, hint: hint)
    }
}
