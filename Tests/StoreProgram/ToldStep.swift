package import TransactionApproval

/// What a program was told of a new phone's first steps, as one line that it says.
package struct ToldStep: Hashable, Sendable {
    /// In their order: each phone takes all of them, one after the other.
    package enum Kind: String, CaseIterable, Sendable {
        case activated, refusedOnce, refusedTwice, typed, rekeyed
    }

    package let kind: Kind
    package let device: DeviceID
    /// The one that was typed, if any was.
    package let code: String
}

extension ToldStep {
    var line: String { "step \(kind) \(device) \(code)" }

    /// Nil where it is no such line, or only a part of one.
    package init?(line: Substring) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard
            words.count == 4, words[0] == "step", let kind = Kind(rawValue: words[1]),
            let device = DeviceID(words[2]), (kind == .typed) != words[3].isEmpty
        else { return nil }
        self.init(kind: kind, device: device, code: words[3])
    }
}
