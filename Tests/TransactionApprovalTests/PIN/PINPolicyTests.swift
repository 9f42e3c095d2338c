import Testing
import TransactionApproval

extension PINPolicy {
    fileprivate func brokenRule(by text: String) -> Rule? {
        let bytes = Array(text.utf8)
        return brokenRule(by: bytes.span)
    }
}

@Suite struct `SEC-20: the length of a PIN` {
    @Test func `is six to twelve digits by default`() {
        #expect(PINPolicy.default.brokenRule(by: "83051") == .tooShort)
        #expect(PINPolicy.default.brokenRule(by: "830592") == nil)
        #expect(PINPolicy.default.brokenRule(by: "830519274608") == nil)
        #expect(PINPolicy.default.brokenRule(by: "8305192746083") == .tooLong)
        #expect(PINPolicy.default.brokenRule(by: "") == .tooShort)
    }

    @Test func `may be four in the protocol, and never less`() throws {
        #expect(PINPolicy(minimumDigits: 5) == nil)
        #expect(PINPolicy(minimumDigits: 4) == nil)
        #expect(PINPolicy(minimumDigits: 3, shortPINs: .allowed) == nil)
        let short = try #require(PINPolicy(minimumDigits: 4, shortPINs: .allowed))
        #expect(short.brokenRule(by: "8305") == nil)
        #expect(short.brokenRule(by: "830") == .tooShort)
    }

    @Test func `may be stricter, but never impossible`() throws {
        let eight = try #require(PINPolicy(minimumDigits: 8, maximumDigits: 8))
        #expect(eight.brokenRule(by: "8305192") == .tooShort)
        #expect(eight.brokenRule(by: "83051927") == nil)
        #expect(eight.brokenRule(by: "830519274") == .tooLong)
        #expect(PINPolicy(minimumDigits: 8, maximumDigits: 7) == nil)
        #expect(PINPolicy(minimumDigits: 6, maximumDigits: 13) == nil)
    }

    @Test(arguments: [
        "83051a", "８３０５１９", " 830519", "830519\n", "+830519", "-830519", "83051", "8305 19",
        "830519\0", "٨٣٠٥١٩", "0x8305",
    ])
    func `counts only ASCII digits`(_ text: String) {
        let rule = PINPolicy.default.brokenRule(by: text)
        #expect(rule == (text == "83051" ? .tooShort : .notDigits))
    }
}

@Suite struct `SEC-21: PINs that are tried first` {
    @Test func `have a hundred examples each`() {
        #expect(Set(refused.flatMap(\.value)).count == 100)
        #expect(Set(allowed).count == 100)
    }

    @Test(arguments: refused.map { ($0.key, $0.value) })
    func `are refused, and the rule is named`(_ rule: PINPolicy.Rule, _ pins: [String]) throws {
        let policy = try #require(PINPolicy(minimumDigits: 4, shortPINs: .allowed))
        for pin in pins { #expect(policy.brokenRule(by: pin) == rule, "\(pin)") }
    }

    @Test(arguments: allowed) func `do not include other PINs`(_ pin: String) throws {
        let policy = try #require(PINPolicy(minimumDigits: 4, shortPINs: .allowed))
        #expect(policy.brokenRule(by: pin) == nil)
    }

    // Each refused PIN reduces the choice, so there must be few.
    @Test func `are fewer than one in eight of all six-digit PINs`() {
        let all = stride(from: 0, to: 1_000_000, by: 101)
        let refused = all.filter { number in
            let digits = String(number)
            let pin = String(repeating: "0", count: 6 - digits.count) + digits
            return PINPolicy.default.brokenRule(by: pin) != nil
        }
        #expect(refused.count * 8 < 1_000_000 / 101)
    }
}

private let refused: KeyValuePairs<PINPolicy.Rule, [String]> = [
    .repeated: [
        "0000", "1111", "1212", "1221", "6969", "000000", "111111", "999999", "121212", "101010",
        "696969", "123123", "456456", "007007", "520520", "123321", "456654", "112211", "110110",
        "100001", "1234321", "12341234", "77887788", "123123123", "1234554321", "999999999999",
        "100000", "777778",
    ],
    .sequence: [
        "1234", "4321", "2468", "1357", "7890", "123456", "654321", "012345", "987654", "098765",
        "890123", "135791", "246802", "975319", "112233", "998877", "113355", "111222333",
        "123789", "789456", "456123", "321654", "111234", "1234567", "12345678", "0123456789",
        "9876543210", "123456789012",
    ],
    .date: [
        "1984", "2024", "0104", "3112", "1231", "2902", "010190", "311299", "123199", "991231",
        "290200", "198403", "031984", "202412", "01011990", "31121999", "12311999", "19991231",
        "20000229", "29022000",
    ],
    .commonlyChosen: [
        "2580", "0852", "1379", "5683", "147258", "258369", "159357", "159753", "357951", "134679",
        "142536", "314159", "271828", "142857", "203040", "192837", "123457", "124816", "246810",
        "147258369", "8675309", "31415926", "12345679", "1020304050",
    ],
]

private let allowed = [
    "8305", "7294", "4718", "6037", "9461", "5826", "7053", "8649", "4093", "6382",
    "830592", "729461", "471836", "603794", "946182", "582637", "705394", "864957", "409385",
    "638274", "295837", "751936", "860473", "937264", "518394", "674029", "350978", "482759",
    "793608", "264857", "539716", "841690", "907365", "685247", "376082", "450837", "768493",
    "592460", "834697", "617943", "985036", "243867", "706589", "459632", "873514", "368970",
    "594083", "742896", "680357", "935748", "8305192", "7294618", "4718365", "6037942",
    "9461827", "5826379", "7053948", "8649573", "4093857", "6382749", "83051927", "72946183",
    "47183650", "60379421", "94618275", "58263791", "70539482", "86495730", "40938576",
    "63827491", "29583746", "75193682", "86047395", "93726481", "51839470", "830519274",
    "729461835", "471836509", "603794218", "946182753", "582637914", "705394826", "864957301",
    "409385762", "638274915", "8305192746", "7294618350", "4718365092", "6037942185",
    "9461827530", "5826379148", "7053948261", "8649573018", "83051927460", "72946183502",
    "47183650927", "60379421856", "830519274608", "729461835027", "471836509274",
]
