/// A text in every language, so that no translation can be missing.
package struct LocalizedText: Sendable {
    private let english: String
    private let german: String

    package init(_ english: String, german: String) {
        (self.english, self.german) = (english, german)
    }

    package func text(in language: Language) -> String {
        switch language {
        case .english: english
        case .german: german
        }
    }
}
