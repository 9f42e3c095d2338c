import Localization
import ThreeDSProtocol
import Transactions

extension StoredChallenge {
    func writeContent(to writer: inout FieldWriter) {
        writer.append(progress.encoded)
        writer.append(account.description)
        writer.append(document)
        writer.append(summary)
        writer.append(optional: transaction) {
            $0.append($1.id)
            $0.append(optional: $1.number)
        }
        writer.append(UInt64(clamping: openOrders))
        writer.append(optional: approvalEnd) { $0.append($1) }
        writer.append(isMuted)
        writer.append(hasShownPage)
        party.writeContent(to: &writer)
        writer.append(optional: result) {
            $0.append($1.time)
            $0.append($1.status)
            $0.append(optional: $1.reason)
        }
        writer.append(isLeftToWithdraw)
        writer.append(optional: resultDue) { $0.append($1) }
        writer.append(UInt64(clamping: failedResults))
        if hasLaterMembers {
            writer.append(optional: expiredTransaction) { $0.append($1) }
            writer.append(optional: shortenedSeconds) { $0.append(UInt64(clamping: $1)) }
            writer.append(optional: orderDue) { $0.append($1) }
            writer.append(endOfDelivery.byte)
        }
        guard laterPayments != nil || error != nil else { return }
        (laterPayments ?? LaterPayments()).write(to: &writer)
        if let error { writer.append(error) }
    }

    /// Whether it has a member that an earlier version did not have.
    ///
    /// Their part is the last one of a row, and is omitted without them. So a form that stores
    /// contain never changes.
    private var hasLaterMembers: Bool {
        expiredTransaction != nil || shortenedSeconds != nil || orderDue != nil
            || endOfDelivery != nil || laterPayments != nil || error != nil
    }

    init(contentFrom reader: inout FieldReader) throws(FieldReader.Failure) {
        let start = reader.offset
        guard let progress = Challenge(encoded: try reader.field()) else {
            throw .malformed(offset: start)
        }
        let account = try reader.value { CardAccount($0) }
        let document = try reader.field()
        let summary = try reader.text()
        let transaction = try reader.optional { reader throws(FieldReader.Failure) in
            RequestedTransaction(id: try reader.identifier(), number: try reader.optionalText())
        }
        let openOrders = Int(clamping: try reader.number(UInt64.self))
        let approvalEnd = try reader.optionalMoment()
        let isMuted = try reader.flag()
        let hasShownPage = try reader.flag()
        let party = try Party(contentFrom: &reader)
        self.init(
            progress: progress,
            account: account,
            document: document,
            summary: summary,
            transaction: transaction,
            openOrders: openOrders,
            approvalEnd: approvalEnd,
            isMuted: isMuted,
            hasShownPage: hasShownPage,
            party: party
        )
        result = try reader.optional { reader throws(FieldReader.Failure) in
            DecidedResult(
                time: try reader.moment(),
                status: try reader.text(),
                reason: try reader.optionalText()
            )
        }
        isLeftToWithdraw = try reader.flag()
        resultDue = try reader.optionalMoment()
        failedResults = Int(clamping: try reader.number(UInt64.self))
        guard !reader.isAtEnd else { return }
        expiredTransaction = try reader.optional { reader throws(FieldReader.Failure) in
            try reader.identifier()
        }
        shortenedSeconds = try reader.optionalCount()
        orderDue = try reader.optionalMoment()
        endOfDelivery = try reader.endOfDelivery()
        guard !reader.isAtEnd else { return }
        let payments = try LaterPayments(contentFrom: &reader)
        laterPayments = payments == LaterPayments() ? nil : payments
        if !reader.isAtEnd { error = try reader.field() }
    }
}

extension StoredChallenge.EndOfDelivery? {
    /// 0 for nil, 1 for a refusal, and then the reports; earlier versions wrote 0 and 1 only.
    fileprivate var byte: UInt8 {
        switch self {
        case nil: 0
        case .refused?: 1
        case .unacknowledged(let report)?: report.number + 1
        }
    }
}

extension FieldReader {
    fileprivate mutating func endOfDelivery() throws(Failure) -> StoredChallenge.EndOfDelivery? {
        let start = offset
        switch try byte() {
        case 0: return nil
        case 1: return .refused
        case let byte:
            guard let report = ResultReport(number: byte - 1) else {
                throw .malformed(offset: start)
            }
            return .unacknowledged(report)
        }
    }
}

extension LaterPayments {
    fileprivate func write(to writer: inout FieldWriter) {
        writer.append(optional: next) { $0.append($1) }
        writer.append(optional: series) { $1.write(to: &$0) }
    }

    fileprivate init(contentFrom reader: inout FieldReader) throws(FieldReader.Failure) {
        next = try reader.optionalAmount()
        series = try reader.optional { reader throws(FieldReader.Failure) in
            try Series(contentFrom: &reader)
        }
    }
}

extension LaterPayments.Series {
    fileprivate func write(to writer: inout FieldWriter) {
        switch sum {
        case .unstated: writer.append(UInt8(0))
        case .varying(let amount):
            writer.append(UInt8(1))
            writer.append(optional: amount) { $0.append($1) }
        case .fixed(let amount):
            writer.append(UInt8(2))
            writer.append(amount)
        }
        writer.append(optional: repeats.minimumDays) { $0.append(UInt64(clamping: $1)) }
        writer.append(optional: repeats.first)
        writer.append(optional: repeats.last)
        writer.append(optional: instalments) { $0.append(UInt64(clamping: $1)) }
    }

    fileprivate init(contentFrom reader: inout FieldReader) throws(FieldReader.Failure) {
        let start = reader.offset
        switch try reader.byte() {
        case 0: sum = .unstated
        case 1: sum = .varying(try reader.optionalAmount())
        case 2: sum = .fixed(try reader.amount())
        default: throw .malformed(offset: start)
        }
        repeats = LaterPayments.Repeats(
            minimumDays: try reader.optionalCount(),
            first: try reader.optionalText(),
            last: try reader.optionalText()
        )
        instalments = try reader.optionalCount()
    }
}

extension StoredChallenge.Party {
    fileprivate func writeContent(to writer: inout FieldWriter) {
        switch self {
        case .none: writer.append(UInt8(0))
        case .app(let session):
            writer.append(UInt8(1))
            session.writeContent(to: &writer)
        case .browser(let session):
            writer.append(UInt8(session.language == nil ? 2 : 3))
            session.writeContent(to: &writer)
        }
    }

    fileprivate init(contentFrom reader: inout FieldReader) throws(FieldReader.Failure) {
        let start = reader.offset
        switch try reader.byte() {
        case 0: self = .none
        case 1: self = .app(try StoredChallenge.AppSession(contentFrom: &reader))
        case 2: self = .browser(try .init(contentFrom: &reader, hasLanguage: false))
        case 3: self = .browser(try .init(contentFrom: &reader, hasLanguage: true))
        default: throw .malformed(offset: start)
        }
    }
}

extension StoredChallenge.AppSession {
    fileprivate func writeContent(to writer: inout FieldWriter) {
        writer.append(channel.encoded)
        writer.append(optional: lastResponse) { $0.append($1) }
    }

    fileprivate init(contentFrom reader: inout FieldReader) throws(FieldReader.Failure) {
        let start = reader.offset
        guard let channel = SecureChannel.State(encoded: try reader.field()) else {
            throw .malformed(offset: start)
        }
        let last = try reader.optional { reader throws(FieldReader.Failure) in try reader.field() }
        self.init(channel: channel, lastResponse: last)
    }
}

extension StoredChallenge.BrowserSession {
    fileprivate func writeContent(to writer: inout FieldWriter) {
        writer.append(handle.text)
        writer.append(notificationURL)
        writer.append(optional: amount) { $0.append($1) }
        writer.append(shop.text)
        writer.append(lastFour)
        if let language { writer.append(language.rawValue) }
        writer.append(optional: request) {
            $0.append($1.digest)
            $0.append(optional: $1.sessionData)
        }
    }

    fileprivate init(
        contentFrom reader: inout FieldReader,
        hasLanguage: Bool
    ) throws(FieldReader.Failure) {
        self.init(
            handle: try reader.value { PageHandle($0) },
            notificationURL: try reader.text(),
            amount: try reader.optionalAmount(),
            // The text was checked before it was sealed: `try?`.
            shop: try reader.value { try? DisplayText($0) },
            lastFour: try reader.text(),
            language: hasLanguage ? try reader.value(Language.init(rawValue:)) : nil,
            request: try reader.optional { reader throws(FieldReader.Failure) in
                Entrance(digest: try reader.field(), sessionData: try reader.optionalText())
            }
        )
    }
}
