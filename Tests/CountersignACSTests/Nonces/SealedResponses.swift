import PrivateFiles
import Testing

/// All encrypted responses that came out of an ACS, by their key and nonce.
///
/// Each challenge has a key of its own, which its identifier represents.
final class SealedResponses: Sendable {
    private struct Use: Hashable {
        let challenge: String
        let nonce: Substring
    }

    private let texts = LockedValue<[Use: String]>([:])

    var count: Int { texts.withLock { $0.count } }

    /// Records an issue if the nonce encrypted another text before.
    func note(_ text: String, of challenge: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 5 else {
            Issue.record("not encrypted: \(text)")
            return
        }
        let use = Use(challenge: challenge, nonce: parts[2])
        let known = texts.withLock { $0.updateValue(text, forKey: use) }
        #expect(known == nil || known == text, "a nonce of \(challenge) has two texts")
    }
}
