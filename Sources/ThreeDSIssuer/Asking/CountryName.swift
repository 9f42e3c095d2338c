import Localization

/// The name of a country by its three digits (ISO 3166-1); nil for a code that is in no row.
func countryName(_ digits: String) -> LocalizedText? { names[digits] }

private let names: [String: LocalizedText] = {
    var names: [String: LocalizedText] = [:]
    for row in countryTable {
        for country in "\(row)".split(separator: ";") {
            let texts = country.dropFirst(3).split(separator: "|").map { String($0) }
            // A name that is the same in both languages is written once.
            guard let english = texts.first, let german = texts.last else { continue }
            names[String(country.prefix(3))] = LocalizedText(english, german: german)
        }
    }
    return names
}()
