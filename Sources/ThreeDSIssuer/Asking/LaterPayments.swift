import Localization
import StrictJSON
import ThreeDSProtocol
import Transactions

/// Payments that the shop can make later without the person: a subscription, instalments, or the
/// payment for which a card is confirmed.
///
/// The person approves them together with the purchase. So they are shown, and need an approval of
/// two factors.
struct LaterPayments: Equatable, Sendable {
    /// The payment for which a card is confirmed.
    var next: Amount?
    var series: Series?

    struct Series: Equatable, Sendable {
        let sum: Sum
        let repeats: Repeats
        /// The number of instalments.
        let instalments: Int?
    }

    /// The amount of each payment of a series.
    enum Sum: Equatable, Sendable {
        case fixed(Amount)
        /// With the amount that the shop states nevertheless.
        case varying(Amount?)
        /// Versions before 2.3.1 have no element for it.
        case unstated
    }

    /// The times, as far as the shop states them; the dates are `YYYYMMDD`.
    struct Repeats: Equatable, Sendable {
        let minimumDays: Int?
        let first: String?
        let last: String?
    }

    /// The terms that an AReq states.
    enum Terms: Equatable, Sendable {
        case none
        case stated(LaterPayments)
        /// An amount that no transaction can have, or payments to several shops.
        case unsupported

        var payments: LaterPayments? {
            if case .stated(let payments) = self { payments } else { nil }
        }
    }
}

extension LaterPayments.Terms {
    init(_ request: Message, _ category: MessageCategory, _ purchase: RequestFacts.Sum) {
        guard request[value: "multiTransaction"] == nil, let sum = request.laterSum else {
            self = .unsupported
            return
        }
        var payments = LaterPayments()
        if category == .nonPayment, case .amount(let amount) = purchase { payments.next = amount }
        if request.hasSeries {
            payments.series = LaterPayments.Series(
                sum: sum,
                repeats: LaterPayments.Repeats(request),
                instalments: request["purchaseInstalData"].flatMap { Int($0) }
            )
        }
        self = payments == LaterPayments() ? .none : .stated(payments)
    }
}

extension LaterPayments.Repeats {
    fileprivate init(_ request: Message) {
        let days = request["recurringFrequency"].flatMap { Int($0) }
        minimumDays = days.flatMap { $0 > 0 ? $0 : nil }
        (first, last) = (request["recurringDate"], request["recurringExpiry"])
    }
}

extension Message {
    /// A subscription, instalments or an agreement, by an indicator or an element.
    fileprivate var hasSeries: Bool {
        ["02", "03", "07"].contains(self["threeDSRequestorAuthenticationInd"] ?? "")
            || ["01", "02", "12"].contains(self["threeRIInd"] ?? "")
            || Self.seriesElements.contains { self[value: $0] != nil }
    }

    private static let seriesElements = [
        "recurringAmount", "recurringDate", "recurringExpiry", "recurringFrequency", "recurringInd",
        "purchaseInstalData",
    ]

    /// Nil for an amount that no transaction can have.
    fileprivate var laterSum: LaterPayments.Sum? {
        let isVarying = self[value: "recurringInd"]?["amountInd"]?.text == "02"
        guard let digits = self["recurringAmount"] else {
            return isVarying ? .varying(nil) : .unstated
        }
        // Zeros may lead, and the reader has compared the exponent.
        guard let units = UInt64(digits),
            let currency = self["recurringCurrency"].flatMap(NumericCurrency.init)?.currency,
            let amount = Amount(minorUnits: units, currency: currency)
        else { return nil }
        return isVarying ? .varying(amount) : .fixed(amount)
    }
}

// MARK: In words

extension LaterPayments {
    /// Labels and values for the person, on the device and on the page.
    var lines: [(label: LocalizedText, value: LocalizedText)] {
        let lines = series?.lines ?? []
        guard let next else { return lines }
        return [(IssuerText.laterPayment, .sameEverywhere(next.formatted))] + lines
    }
}

extension LaterPayments.Series {
    fileprivate var lines: [(label: LocalizedText, value: LocalizedText)] {
        let lines = [(IssuerText.laterPayments, sum.text), (IssuerText.repeats, repeats.text)]
        guard let instalments else { return lines }
        return lines + [(IssuerText.instalments, .sameEverywhere("\(instalments)"))]
    }
}

extension LaterPayments.Sum {
    fileprivate var text: LocalizedText {
        switch self {
        case .fixed(let amount): IssuerText.each(amount.formatted)
        case .varying(let amount?): IssuerText.varyingAmounts(from: amount.formatted)
        case .varying(nil): IssuerText.varyingAmounts
        case .unstated: IssuerText.unstatedAmounts
        }
    }
}

extension LocalizedText {
    fileprivate static func sameEverywhere(_ text: String) -> LocalizedText {
        LocalizedText(text, german: text)
    }
}

extension LaterPayments.Repeats {
    fileprivate var text: LocalizedText {
        let parts = [
            minimumDays.map { IssuerText.apart(days: $0) } ?? IssuerText.noFixedTimes,
            first.map { IssuerText.from($0.day) }, last.map { IssuerText.until($0.day) },
        ]
        .compactMap { $0 }
        func text(in language: Language) -> String {
            parts.map { $0.text(in: language) }.joined(separator: ", ")
        }
        return LocalizedText(text(in: .english), german: text(in: .german))
    }
}

extension String {
    /// `YYYY-MM-DD`, from the eight digits of an element that the reader has checked.
    fileprivate var day: String {
        let digits = Array(utf8)
        guard digits.count == 8 else { return self }
        let parts = [digits[0..<4], digits[4..<6], digits[6..<8]]
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }
}
