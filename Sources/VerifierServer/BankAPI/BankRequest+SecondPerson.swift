package import BankIntegration
import HTTPServer
import TransactionApproval
package import Verification

extension BankRequest {
    /// Runs `service`, or stores a call that still needs a second person.
    ///
    /// The operator needs none: they have the store and its keys.
    func admitted(
        _ keyed: BankCall? = nil,
        to service: BankRoute.Service
    ) async throws(Verifier.Failure) -> BankResponse {
        guard
            let operation = match.route.operation, api.secondPerson.contains(operation),
            let token = caller.token
        else { return try await service(self) }
        let call = try await verifier.twoPersonCall(
            operation.rawValue,
            within: concern,
            by: token,
            named: author.actor,
            for: wholeCall,
            keyed: keyed
        )
        let confirmed = message.values(of: "confirms")
        guard confirmed.isEmpty else {
            let id = confirmed.count == 1 ? RequestedCallID(confirmed[0]) : nil
            return try await service(confirming(id, by: call))
        }
        switch try await verifier.request(call, by: author) {
        case .requested(let requested): return .accepted(requested, operation)
        case .repeated(let requested):
            let response = BankResponse.accepted(requested, operation)
            return keyed == nil ? response : .repeated(response)
        case .madeBefore: return try await service(confirming(nil, by: call))
        case .keyReused: return .refused(.own(.idempotencyKeyReused))
        }
    }

    private var concern: EventConcern {
        match.names[.accountID] == nil ? .enterprise(enterprise) : .account(account)
    }
}

/// A call that waits for a second person, or got its confirmation.
package struct RequestedCallResource: Codable, Sendable {
    package let id: RequestedCallID
    let operation: BankRoute.Operation
    let requested: DateTime
    package let deadline: DateTime
    /// Nil before a second person confirmed it.
    package let confirmed: DateTime?
    let instruction: String
}

extension BankResponse {
    fileprivate static func accepted(
        _ call: RequestedCall,
        _ operation: BankRoute.Operation
    ) -> BankResponse {
        let resource = RequestedCallResource(
            id: call.id,
            operation: operation,
            requested: DateTime(call.created),
            deadline: DateTime(call.deadline),
            confirmed: call.confirmed.map { DateTime($0) },
            instruction: call.confirmed == nil
                ? "The call has its effect when a second person sends the same call with another "
                    + "token and the header Confirms: \(call.id)"
                : "The call was confirmed: it had its effect, or was refused. Read the state. "
                    + "Another call needs a new Idempotency-Key."
        )
        return .accepted(resource)
    }
}

extension BankProblem {
    init(_ refusal: ConfirmationRefusal) {
        self =
            switch refusal {
            case .unknown: .own(.confirmationUnknown)
            case .sameToken: .own(.confirmationBySameToken)
            case .otherCall: .own(.confirmationOfOtherCall)
            case .used: .own(.confirmationUsed)
            case .expired: .own(.confirmationExpired)
            case .requesterInvalid: .own(.confirmationRequesterInvalid)
            }
    }
}
