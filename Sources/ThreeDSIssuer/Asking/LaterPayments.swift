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
    let sum: Sum
    /// Nil for one payment.
    let repeats: Repeats?
    /// The number of instalments.
    let instalments: Int?

    enum Sum: Equatable, Sendable {
        /// Of each payment.
        case amount(Amount)
        case varying
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
        if request.hasSeries {
            let payments = LaterPayments(
                sum: sum,
                repeats: LaterPayments.Repeats(request),
                instalments: request["purchaseInstalData"].flatMap { Int($0) }
            )
            self = .stated(payments)
        } else if category == .nonPayment, case .amount(let amount) = purchase {
            self = .stated(LaterPayments(sum: .amount(amount), repeats: nil, instalments: nil))
        } else {
            self = .none
        }
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
    /// A subscription (01, 02), instalments (02, 03) or an agreement (07), by indicator or element.
    fileprivate var hasSeries: Bool {
        ["02", "03", "07"].contains(self["threeDSRequestorAuthenticationInd"] ?? "")
            || ["01", "02"].contains(self["threeRIInd"] ?? "")
            || Self.seriesElements.contains { self[value: $0] != nil }
    }

    private static let seriesElements = [
        "recurringAmount", "recurringDate", "recurringExpiry", "recurringFrequency", "recurringInd",
        "purchaseInstalData",
    ]

    /// Nil for an amount that no transaction can have.
    fileprivate var laterSum: LaterPayments.Sum? {
        guard let digits = self["recurringAmount"] else {
            let isVarying = self[value: "recurringInd"]?["amountInd"]?.text == "02"
            return isVarying ? .varying : .unstated
        }
        // Zeros may lead, and the reader has compared the exponent.
        guard let units = UInt64(digits),
            let currency = self["recurringCurrency"].flatMap(NumericCurrency.init)?.currency,
            let amount = Amount(minorUnits: units, currency: currency)
        else { return nil }
        return .amount(amount)
    }
}

// MARK: In words

extension LaterPayments {
    /// Labels and values for the person, on the device and on the page.
    var lines: [(label: LocalizedText, value: LocalizedText)] {
        guard let repeats else { return [(IssuerText.laterPayment, sum.text(isOfEach: false))] }
        let lines = [
            (IssuerText.laterPayments, sum.text(isOfEach: true)),
            (IssuerText.repeats, repeats.text),
        ]
        guard let instalments else { return lines }
        let count = LocalizedText("\(instalments)", german: "\(instalments)")
        return lines + [(IssuerText.instalments, count)]
    }
}

extension LaterPayments.Sum {
    fileprivate func text(isOfEach: Bool) -> LocalizedText {
        switch self {
        case .amount(let amount) where isOfEach: IssuerText.each(amount.formatted)
        case .amount(let amount): LocalizedText(amount.formatted, german: amount.formatted)
        case .varying: IssuerText.varyingAmounts
        case .unstated: IssuerText.unstatedAmounts
        }
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
