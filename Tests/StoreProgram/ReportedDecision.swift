package import OneTimePassword
package import TransactionApproval

/// An accepted decision, as one line of a program's output.
package struct ReportedDecision: Hashable, Sendable {
    package let transaction: TransactionID
    package let decision: Decision
    package let attempt: AttemptID
    package let device: DeviceID
    package let counter: Counter

    package var kind: CredentialKind { decision == .approve ? .user : .device }
}

extension ReportedDecision {
    var line: String {
        "\(transaction) \(decision == .approve) \(attempt) \(device) \(counter.value)"
    }

    /// Nil if the line is incomplete or of another kind.
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
