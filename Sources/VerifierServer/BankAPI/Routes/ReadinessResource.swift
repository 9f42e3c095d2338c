import TransactionApproval
import Verification

/// Whether the person of an account can approve a request now.
struct ReadinessResource: Encodable {
    let ready: Bool
    let authentication: [AuthenticationType]
    let retryAfterSeconds: UInt32?
    let muted: Bool
    /// Of the policy: a program for card payments cannot read the policy itself.
    let transactionSeconds: Int64
    let requiredFields: [RequiredFieldsResource]
    let numberMatchingDigits: Int

    init(_ readiness: Readiness, retryAfterSeconds: UInt32?) {
        ready = readiness.isReady
        authentication = AuthenticationType.allCases.filter {
            readiness.authentication.contains($0)
        }
        self.retryAfterSeconds = retryAfterSeconds
        muted = readiness.isMuted
        transactionSeconds = readiness.rules.maximumLifetime.components.seconds
        requiredFields = readiness.rules.requiredFields.map(RequiredFieldsResource.init(_:))
        numberMatchingDigits = readiness.rules.numberMatching?.rawValue ?? 0
    }
}

/// The labels of fields that a transaction of a context must have.
struct RequiredFieldsResource: Encodable {
    let context: ContextName
    let labels: [String]

    init(_ fields: EnterprisePolicy.RequiredFields) {
        context = ContextName(fields.context)
        labels = fields.labels.map(\.text)
    }
}
