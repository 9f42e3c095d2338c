import Localization

/// The name of a country by its three digits (ISO 3166-1); nil for a code that is in no row.
func countryName(_ digits: String) -> LocalizedText? { names[digits] }

private let names: [String: LocalizedText] = {
    var names: [String: LocalizedText] = [:]
    for row in "\(countryTable)".split(separator: "\n").dropFirst() {
        let row = row.drop { $0 == " " }
        let texts = row.dropFirst(4).split(separator: "|").map { String($0) }
        guard let english = texts.first, let german = texts.last else { continue }
        names[String(row.prefix(3))] = LocalizedText(english, german: german)
    }
    return names
}()
