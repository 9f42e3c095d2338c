package import TransactionApproval

/// The actor of a change, and the confirmation by a second person that the change needs.
package struct ChangeAuthor: Sendable {
    package let actor: Actor
    /// Required in the transaction of each change; nil if the change needs one person.
    private(set) var confirmation: Confirmation?

    private init(_ actor: Actor) { self.actor = actor }

    package static let operatorCommand = ChangeAuthor(.operatorCommand)
    package static let verifier = ChangeAuthor(.verifier)
    package static func device(_ id: DeviceID) -> ChangeAuthor { ChangeAuthor(.device(id)) }
    package static func token(name: String) -> ChangeAuthor { ChangeAuthor(.token(name: name)) }

    /// The same actor, whose changes have their effect only if they confirm a requested call.
    ///
    /// Without an id, only a call that had its effect before is repeated.
    package func confirming(_ id: RequestedCallID?, by call: TwoPersonCall) -> ChangeAuthor {
        var author = self
        author.confirmation = Confirmation(id: id, call: call)
        return author
    }
}

/// The call of a second person, and the id of the requested call that it names.
struct Confirmation: Sendable {
    let id: RequestedCallID?
    let call: TwoPersonCall
}
