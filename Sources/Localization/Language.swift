/// A language of the texts for people.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// The language of a locale such as `de_AT.UTF-8`, or English if there are no texts in it.
    public init(locale: String) {
        self = Language(tag: locale) ?? .english
    }

    /// The language of a tag such as `de-AT` (RFC 5646); nil if there are no texts in it.
    package init?(tag: String) {
        self.init(rawValue: tag.prefix { $0.isLetter }.lowercased())
    }
}
