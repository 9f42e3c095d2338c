import Glibc
package import Localization
import PrivateFiles

extension Language {
    private static let chosen = LockedValue(Language.english)

    /// The language of this process's texts: English, unless the program chooses another one.
    package static var current: Language { chosen.withLock { $0 } }

    /// Chooses the language of the person's environment, before the first text is made.
    package static func useLocale() {
        // The order of POSIX, which ignores empty variables.
        let locales = ["LC_ALL", "LC_MESSAGES", "LANG"].map { (name: String) in
            getenv(name).map { String(cString: $0) } ?? ""
        }
        let language = Language(locale: locales.first { !$0.isEmpty } ?? "")
        chosen.withLock { $0 = language }
    }
}

/// The text in the language of this process.
package func localized(_ english: String, german: String) -> String {
    LocalizedText(english, german: german).text(in: .current)
}
