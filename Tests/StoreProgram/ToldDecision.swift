package import OneTimePassword
package import TransactionApproval

/// A decision that a program was told of, as one line that it says.
package struct ToldDecision: Hashable, Sendable {
    package let transaction: TransactionID
    package let decision: Decision
    package let attempt: AttemptID
    package let device: DeviceID
    package let counter: Counter

    package var kind: CredentialKind { decision == .approve ? .user : .device }
}

extension ToldDecision {
    var line: String {
        "\(transaction) \(decision == .approve) \(attempt) \(device) \(counter.value)"
    }

    /// Nil where it is no such line, or only a part of one.
    package init?(line: Substring) {
        let words = line.split(separator: " ").map(String.init)
        guard
            words.count == 5, let transaction = TransactionID(words[0]),
            let isApproval = Bool(words[1]), let attempt = AttemptID(words[2]),
            let device = DeviceID(words[3]), let counter = UInt64(words[4])
        else { return nil }
        self.init(
            transaction: transaction,
            decision: isApproval ? .approve : .reject(.noLongerWanted),
            attempt: attempt,
            device: device,
            counter: Counter(counter)
        )
    }
}
