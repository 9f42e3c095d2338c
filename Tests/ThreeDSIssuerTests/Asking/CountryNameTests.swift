import Foundation
import Localization
import TestSupport
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite struct `The names of countries` {
    private static let countries = (0..<1000).map { String(String($0 + 1000).dropFirst()) }
        .filter { CountryCode($0) != nil }

    @Test(arguments: Language.allCases)
    func `are there for each country that an AReq can name`(language: Language) throws {
        #expect(Self.countries.count == 249)
        var names: Set<String> = []
        for digits in Self.countries {
            let name = try #require(countryName(digits)).text(in: language)
            #expect(names.insert(name).inserted)
            #expect(throws: Never.self, "\(name)") { try DisplayText(name) }
            // The text of a merchant ends with a comma and the country.
            #expect(!name.contains(","))
        }
    }

    @Test func `are there for no other code`() {
        for digits in ["", "000", "999", "27", "2760", "DEU"] {
            #expect(countryName(digits) == nil)
        }
        #expect("\(countryTable)".split(separator: "\n").count == 1 + 249)
    }

    /// Debian's package `iso-codes` as the second opinion; ours are shorter for these countries.
    @Test(.enabled(if: ISONames.areInstalled, "Not run: the package iso-codes is missing."))
    func `are those of ISO, or shorter ones in everyday words`() throws {
        let everyday: [Language: Set<String>] = [
            .english: [
                "096", "166", "180", "238", "275", "336", "534", "535", "583", "643", "654", "663",
                "678", "850",
            ],
            .german: [
                "074", "090", "096", "132", "136", "162", "166", "234", "238", "239", "248",
                "254", "260", "275", "336", "446", "534", "535", "581", "583", "612", "643", "654",
                "663", "666", "744",
            ],
        ]
        for language in Language.allCases {
            let names = try ISONames.names(in: language)
            try #require(names.count == 249)
            let others = try Self.countries.filter { digits in
                let name = try #require(countryName(digits)).text(in: language)
                return names[digits]?.contains(name) != true
            }
            // A later release of the package can have a shorter name too.
            #expect(Set(others).subtracting(everyday[language] ?? []) == [])
        }
    }
}

private enum ISONames {
    private static let folder = "/usr/share/iso-codes/json/"
    private static let program = """
        import gettext, json, sys
        translation = gettext.translation(
            "iso_3166-1", "/usr/share/locale", [sys.argv[1]], fallback=True
        )
        for row in json.load(open("\(folder)iso_3166-1.json"))["3166-1"]:
            kinds = ["name", "common_name", "official_name"]
            names = [translation.gettext(row[kind]) for kind in kinds if kind in row]
            print(row["numeric"], *names, sep="|")
        """

    static var areInstalled: Bool {
        FileManager.default.fileExists(atPath: folder + "iso_3166-1.json")
            && FileManager.default.fileExists(
                atPath: "/usr/share/locale/de/LC_MESSAGES/iso_3166-1.mo"
            )
    }

    static func names(in language: Language) throws -> [String: [String]] {
        let python = try FinishedProcess.run("python3", ["-c", program, language.rawValue])
        return python.output.split(separator: "\n").reduce(into: [:]) { names, row in
            let parts = row.split(separator: "|").map { String($0) }
            names[parts[0]] = Array(parts.dropFirst())
        }
    }
}
