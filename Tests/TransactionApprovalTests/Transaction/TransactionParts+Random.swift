import TestSupport
import TransactionApproval

extension TransactionParts {
    static func random(using random: inout SeededGenerator) -> TransactionParts {
        var parts = TransactionParts()
        for field in Transaction.Field.allCases { parts.change(field, using: &random) }
        return parts
    }

    /// Replaces the value of one field by a random value, which may be equal.
    mutating func change(_ field: Transaction.Field, using random: inout SeededGenerator) {
        switch field {
        case .enterprise: enterprise = identifier(using: &random)
        case .id: id = identifier(using: &random)
        case .accountType: accountType = identifier(using: &random)
        case .accountID: accountID = identifier(using: &random)
        case .context: context = [.payment, .action, .login][Int.random(in: 0..<3, using: &random)]
        case .title: title = words(atMost: 100, using: &random)
        case .displayFields:
            fields = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (words(atMost: 40, using: &random), words(atMost: 200, using: &random))
            }
        case .amounts:
            amounts = currencies[Int.random(in: 0..<100, using: &random)...]
                .prefix(.random(in: 1...3, using: &random))
                .map { (.random(in: 0...Amount.maximumMinorUnits, using: &random), $0.code) }
        case .payees:
            payees = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                (words(atMost: 70, using: &random), accountNumber(using: &random))
            }
            merchant =
                random.chance(oneIn: 3)
                ? (words(atMost: 70, using: &random), words(atMost: 120, using: &random)) : nil
        case .reference:
            reference = random.chance(oneIn: 9) ? nil : identifier(using: &random)
        case .returnURL:
            let path = identifier(using: &random)
            returnURL = random.chance(oneIn: 9) ? nil : "https://bank.example/\(path)"
        case .acceptedAuthentication:
            let bits = UInt8.random(in: 1...7, using: &random)
            acceptedAuthentication = AuthenticationTypes(rawValue: bits)
        case .created: created = .random(in: 0..<deadline, using: &random)
        case .deadline: deadline = .random(in: created + 1..<1 << 62, using: &random)
        case .epoch: epoch = .random(in: 0...(.max), using: &random)
        case .nonce: nonce = (0..<16).map { _ in .random(in: 0...(.max), using: &random) }
        }
    }
}

private let currencies = Currency.all

private func identifier(using random: inout SeededGenerator) -> String {
    let name = text(of: "abcXYZ0189._-", count: .random(in: 1...12, using: &random), using: &random)
    return [".", ".."].contains(name) ? identifier(using: &random) : name
}

/// Never in the form of an IBAN, whose check digits would be wrong.
private func accountNumber(using random: inout SeededGenerator) -> String {
    text(of: "0123456789", count: .random(in: 1...9, using: &random), using: &random)
}

private func words(atMost limit: Int, using random: inout SeededGenerator) -> String {
    var result = ""
    repeat {
        let alphabet = alphabets[Int.random(in: 0..<alphabets.count, using: &random)]
        let count = Int.random(in: 1...6, using: &random)
        result += (result.isEmpty ? "" : " ") + text(of: alphabet, count: count, using: &random)
    } while random.chance(oneIn: 2) && result.unicodeScalars.count + 10 <= limit
    return result
}

private let alphabets = [
    "abcABCäßçøł019.,-+/()%&", "абвґєЯ5", "αβγΔώ", "אבגד", "ابتث", "कखगघ", "กขคง", "日本語カナ東",
    "한국어는", "ქართ", "€$£",
]

private func text(of alphabet: String, count: Int, using random: inout SeededGenerator) -> String {
    let characters = Array(alphabet)
    return String(
        (0..<count).map { _ in characters[Int.random(in: 0..<characters.count, using: &random)] }
    )
}

extension SeededGenerator {
    mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
