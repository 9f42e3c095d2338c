/// A currency in use (ISO 4217, list one).
///
/// Without funds (except CLF, which Chile uses for rents and loans), precious metals, units between
/// banks, test codes and "no currency". docs/protocol/versioning.md describes how a currency is
/// added.
package struct Currency: Hashable, Sendable {
    package let code: String
    /// The number of digits of the minor unit.
    package let exponent: Int

    /// Nil for an unknown code, and for lower case.
    package init?(_ code: String) {
        guard let exponent = exponentInTable(of: Array(code.utf8)) else { return nil }
        self.code = code
        self.exponent = exponent
    }

    /// The bytes of the code, because Swift compares texts by more rules than codes need.
    var key: [UInt8] { Array(code.utf8) }

    package static var all: [Currency] {
        table.flatMap { row in "\(row.codes)".split(separator: " ").map { String($0) } }.sorted()
            .compactMap { Currency($0) }
    }
}

extension Currency: CustomStringConvertible {
    package var description: String { code }
}

/// The codes of a row have four bytes each, with the space.
private func exponentInTable(of code: [UInt8]) -> Int? {
    guard code.count == 3 else { return nil }
    return table.first { row in
        row.codes.withUTF8Buffer { codes in
            stride(from: 0, to: codes.count, by: 4).contains { start in
                codes[start] == code[0] && codes[start + 1] == code[1]
                    && codes[start + 2] == code[2]
            }
        }
    }?.exponent
}

/// As of 2026: with XCG and ZWG, without ANG, BGN, HRK, SLL and ZWL.
private let table: [(exponent: Int, codes: StaticString)] = [
    (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"),
    (2, "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD"),
    (2, "CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD"),
    (2, "GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL"),
    (2, "MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN"),
    (2, "PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP"),
    (2, "SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG"),
    (3, "BHD IQD JOD KWD LYD OMR TND"),
    (4, "CLF UYW"),
]
