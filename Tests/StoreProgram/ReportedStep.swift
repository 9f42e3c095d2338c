package import TransactionApproval

/// A completed step of a new phone, as one line of a program's output.
package struct ReportedStep: Hashable, Sendable {
    /// The steps in their order; each phone takes all of them.
    package enum Kind: String, CaseIterable, Sendable {
        case activated, refusedOnce, refusedTwice, typed, rekeyed
    }

    package let kind: Kind
    package let device: DeviceID
    /// The typed code; empty for other steps.
    package let code: String
}

extension ReportedStep {
    var line: String { "step \(kind) \(device) \(code)" }

    /// Nil if the line is incomplete or of another kind.
    package init?(line: Substring) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard
            words.count == 4, words[0] == "step", let kind = Kind(rawValue: words[1]),
            let device = DeviceID(words[2]), (kind == .typed) != words[3].isEmpty
        else { return nil }
        self.init(kind: kind, device: device, code: words[3])
    }
}
