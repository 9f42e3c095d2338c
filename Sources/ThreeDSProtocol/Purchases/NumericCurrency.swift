package import Transactions

/// A currency by its three digits (ISO 4217, list one).
///
/// The codes that the protocol excludes (955 to 964 and 999) are in no row.
package struct NumericCurrency: Hashable, Sendable {
    /// Nil for a unit of funds: this project has no amounts in it.
    package let currency: Currency?
    let exponent: Int

    package init?(_ digits: String) {
        guard digits.utf8.count == 3, let known = Self.all[digits] else { return nil }
        self = known
    }

    private init(_ currency: Currency?, exponent: Int) {
        (self.currency, self.exponent) = (currency, exponent)
    }

    /// The currencies by their three digits.
    private static let all: [String: NumericCurrency] = {
        var all: [String: NumericCurrency] = [:]
        for row in table {
            for pair in "\(row)".split(separator: " ") {
                let digits = String(pair.suffix(3))
                let currency = Currency(String(pair.prefix(3)))
                all[digits] = currency.map {
                    NumericCurrency($0, exponent: $0.exponent)
                }
            }
        }
        for (digits, exponent) in funds {
            all[digits] = NumericCurrency(nil, exponent: exponent)
        }
        return all
    }()
}

/// BOV, CHE, CHW, COU, MXV, USN and UYI.
private let funds = [
    ("984", 2), ("947", 2), ("948", 2), ("970", 2), ("979", 2), ("997", 2), ("940", 0),
]

private let table: [StaticString] = [
    "AED784 AFN971 ALL008 AMD051 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050",
    "BHD048 BIF108 BMD060 BND096 BOB068 BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124",
    "CDF976 CHF756 CLF990 CLP152 CNY156 COP170 CRC188 CUP192 CVE132 CZK203 DJF262 DKK208",
    "DOP214 DZD012 EGP818 ERN232 ETB230 EUR978 FJD242 FKP238 GBP826 GEL981 GHS936 GIP292",
    "GMD270 GNF324 GTQ320 GYD328 HKD344 HNL340 HTG332 HUF348 IDR360 ILS376 INR356 IQD368",
    "IRR364 ISK352 JMD388 JOD400 JPY392 KES404 KGS417 KHR116 KMF174 KPW408 KRW410 KWD414",
    "KYD136 KZT398 LAK418 LBP422 LKR144 LRD430 LSL426 LYD434 MAD504 MDL498 MGA969 MKD807",
    "MMK104 MNT496 MOP446 MRU929 MUR480 MVR462 MWK454 MXN484 MYR458 MZN943 NAD516 NGN566",
    "NIO558 NOK578 NPR524 NZD554 OMR512 PAB590 PEN604 PGK598 PHP608 PKR586 PLN985 PYG600",
    "QAR634 RON946 RSD941 RUB643 RWF646 SAR682 SBD090 SCR690 SDG938 SEK752 SGD702 SHP654",
    "SLE925 SOS706 SRD968 SSP728 STN930 SVC222 SYP760 SZL748 THB764 TJS972 TMT934 TND788",
    "TOP776 TRY949 TTD780 TWD901 TZS834 UAH980 UGX800 USD840 UYU858 UYW927 UZS860 VED926",
    "VES928 VND704 VUV548 WST882 XAF950 XCD951 XCG532 XOF952 XPF953 YER886 ZAR710 ZMW967",
    "ZWG924",
]
