import Foundation
import TestSupport
import Testing

/// Words of a text that look like keys, as scanners for leaked secrets find them.
private func keys(in text: String) -> [String] {
    // A digest is not a key.
    let text = text.replacing(/sha-256=:[A-Za-z0-9+\/=]+:|sha256: ?"?[0-9a-f]{64}/, with: "")
    let words = text.split { !isInKeys($0) }.filter { $0.count >= 32 }
    let bodies = text.matches(of: /PRIVATE KEY-+\s+[A-Za-z0-9+\/]{32}/).map { String($0.output) }
    return words.map { String($0) }.filter { looksRandom($0) } + bodies
}

/// Whether hexadecimal digits, or base64 of either kind, have this character.
private func isInKeys(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "+/_-".contains(character))
}

private func looksRandom(_ word: some StringProtocol) -> Bool {
    // Neither the letters in their order, nor a point of P-256, a public key, nor the name of a
    // function of OpenSSL are secret.
    guard
        !word.contains("ABCDEFGHIJKLM"), !word.hasPrefix("X509_"),
        word.count != 87 || !word.hasPrefix("B")
    else { return false }
    let variety = Set(word).count
    if word.allSatisfy(\.isHexDigit) { return variety >= 8 }
    let isMixed =
        word.contains(where: \.isNumber) && word.contains(where: \.isUppercase)
        && word.contains(where: \.isLowercase)
    return isMixed && variety >= 20
}

@Suite struct `Secrets` {
    /// The vectors inside `selftest` are published; no other source needs keys.
    @Test func `SEC-68: are in no source`() throws {
        let targets = try Repository.targets().subtracting(["SelfTest", "countersign-3ds"])
        for target in targets {
            for (file, text) in try Repository.texts(of: target) {
                // Articles and the examples of the API show identifiers, which are so long.
                let hasIdentifiers = file.hasSuffix(".md") || file.hasSuffix("openapi.json")
                let found = keys(in: text).filter { $0.count > 32 || !hasIdentifiers }
                #expect(found == [], "\(target)/\(file)")
            }
        }
    }

    @Test(arguments: ["countersign", "countersignd", "countersign-3ds", "countersign-acs"])
    func `SEC-68: are in no program`(_ name: String) throws {
        let path = BuiltProducts.path(of: name)
        // Programs have a hundred thousand strings: grep keeps those before and after a match.
        let command = #"strings -n 20 "$0" | grep -A 1 -e 'PRIVATE KEY-' -e 'whsec_'"#
        let strings = try FinishedProcess.run("sh", ["-c", command, path])
        try #require(strings.exitCode == 0)
        let lines = strings.output.split(separator: "\n")
        let suspects = lines.indices.filter { lines[$0].contains("PRIVATE KEY-") }
            .compactMap { lines.dropFirst($0 + 1).first }
            // A sanitizer keeps a constant next to its symbol, which no key can look like.
            .filter { looksRandom($0) && !$0.hasPrefix("$s") }
        #expect(suspects == [])
        #expect(lines.count { $0.contains(/whsec_[A-Za-z0-9+\/]{32}/) } == 0)
    }

    @Test(arguments: [
        "let seed = \"9f86d081884c7d659a2feaa0c55ad015\"",
        "key=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY9x7Qp",
        "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49\n",
    ])
    func `SEC-68: are found in a text`(_ text: String) {
        #expect(!keys(in: text).isEmpty)
    }
}
