import CommandLineTool
import HTTPClient
import ThreeDSIssuer
import TransactionApproval
import Transactions

extension Diagnostics {
    /// Calls the verifier with the token, and compares its policy with the configuration.
    ///
    /// `cards` is nil if the store cannot be read.
    func verifierFindings(_ cards: FirstCards?) async -> [Finding] {
        let access = configuration.verifier
        let (inspection, accounts): (VerifierInspection, AccountCheck)
        do throws(CommandFailure) {
            let client = try access.client(of: configuration.enterprise)
            do throws(VerifierFailure) {
                accounts = try await AccountCheck(of: cards, by: client)
                inspection = accounts.access
            } catch {
                throw CommandFailure(error, at: access)
            }
        } catch {
            return [Finding(part: "verifier's API", failure: error)]
        }
        guard case .granted(let rules) = inspection else {
            let failure = CommandFailure(inspection, configuration)
            return [Finding(part: "verifier's API", failure: failure)]
        }
        let granted = [Finding(part: "verifier's API", failure: nil), accounts.finding]
        guard let rules else {
            let note = accounts.reasonForNoPolicy
            return granted + [Finding(part: "policy", failure: nil, note: "not checked: \(note)")]
        }
        return granted + policyFindings(rules)
    }

    private func policyFindings(_ rules: VerifierInspection.PolicyRules) -> [Finding] {
        let settings = configuration.settings
        var failures: [CommandFailure] = []
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
        guard !failures.isEmpty else {
            return [Finding(part: "policy", failure: nil, note: rules.note(by: settings))]
        }
        return failures.map { Finding(part: "policy", failure: $0) }
    }
}

extension VerifierInspection.PolicyRules {
    /// Nil if a person at a shop has enough time, and has all of it.
    fileprivate func note(by settings: IssuerSettings) -> String? {
        let has = "ok, but transactionSeconds is \(transactionSeconds): "
        if settings.approvalSeconds > transactionSeconds {
            return has + "approvals never have the \(settings.approvalSeconds) of approvalSeconds"
        }
        return transactionSeconds < 300 ? has + "300 give a shopper more time" : nil
    }
}

extension Configuration.VerifierAccess {
    /// The end of a hint about a connection: TLS 1.3 ends it if the client certificate is missing.
    fileprivate var hintForClient: String {
        guard origin.text.hasPrefix("https://") else { return "" }
        return client == nil
            ? "; if the verifier has bank.tls.clientAuthorities, set verifier.certificate"
            : "; check that bank.tls.clientAuthorities has the CA of verifier.certificate"
    }
}

extension CommandFailure {
    fileprivate init(_ failure: VerifierFailure, at access: Configuration.VerifierAccess) {
        let origin = access.origin
        let (message, hint) =
            switch failure {
            case .unreachable(.serverUntrusted):
                (
                    "the certificate of the verifier at \(origin.text) is not trusted",
                    "check that it has not expired, that it has this name, and that verifier.authorities "
                        + "has its CA certificate"
                )
            case .unreachable(.networkUnavailable(.handshake)):
                (
                    "the TLS handshake with \(origin.text) failed",
                    Self.hintForOrigin + access.hintForClient
                )
            case .unreachable(.responseMissing):
                (
                    "no complete response came from \(origin.text)",
                    "read the log of countersignd run" + access.hintForClient
                )
            case .unreachable:
                (
                    "cannot connect to \(origin.text)",
                    "check that countersignd is running, and check verifier.origin"
                        + access.hintForClient
                )
            case .unavailable:
                (
                    "the verifier at \(origin.text) is unavailable",
                    "read the log of countersignd run"
                )
            case .refused, .otherEnterprise, .unreadable:
                (
                    "the response of \(origin.text) is not one of the bank's API",
                    Self.hintForOrigin
                )
            }
        self.init(.inputOutput, message, hint: hint)
    }

    private static let hintForOrigin =
        "check that verifier.origin is the address of the bank's API (bank.listen)"

    fileprivate init(
        _ inspection: VerifierInspection,
        _ configuration: Configuration
    ) {
        let (enterprise, token) = (configuration.enterprise, configuration.verifier.token)
        let create = "countersignd token create NAME cards --enterprise \(enterprise)"
        let (message, hint) =
            switch inspection {
            case .granted, .tokenRefused, .noAccount:
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
            case .refused(let code):
                ("the verifier refused the call: \(code)", "read the log of countersignd run")
            }
        self.init(.malformedInput, message, hint: hint)
    }
}
