import Storage
import TransactionApproval

/// The count of approvals by consent alone.
///
/// Each change of the count stores it on every account of the person. So a change of one row does not
/// lower the count of another account, and an account that leaves the person keeps it. A linked account
/// can have a lower count until then: the highest one is valid.
extension Ledger {
    /// The count of the person; nil if a restore lost consents.
    func consents(of account: Account, in epoch: Epoch) throws(StoreFailure) -> ConsentTotal? {
        let total = try consents(of: account)
        return total.epoch == epoch ? total : nil
    }

    /// Stores the count on all accounts of the person.
    func save(_ total: ConsentTotal, of account: Account) throws(StoreFailure) {
        for var account in try allAccounts(of: account) where account.consentTotal != total {
            account.consents = total
            try saveConsents(of: account)
        }
    }

    /// Gives all accounts of the person the highest count of them.
    func spreadConsents(of account: Account) throws(StoreFailure) {
        try save(try consents(of: account), of: account)
    }

    /// The highest count of the person's accounts, which a restore may have lowered.
    func consents(of account: Account) throws(StoreFailure) -> ConsentTotal {
        try allAccounts(of: account).map(\.consentTotal)
            .reduce(account.consentTotal) { $0.merged(with: $1) }
    }
}

extension SQLValue {
    /// Null for an account that never counted.
    init(_ total: ConsentTotal?) {
        guard let total else {
            self = .null
            return
        }
        var writer = FieldWriter()
        writer.append(total.epoch.value)
        writer.append(UInt64(total.count))
        writer.append(CurrencySums(total.minorUnits))
        self = .bytes(writer.bytes)
    }

    /// Null for no sums.
    init(_ sums: CurrencySums) {
        guard !sums.minorUnits.isEmpty else {
            self = .null
            return
        }
        var writer = FieldWriter()
        writer.append(sums)
        self = .bytes(writer.bytes)
    }
}

extension FieldWriter {
    fileprivate mutating func append(_ sums: CurrencySums) {
        for (currency, sum) in sums.minorUnits.sorted(by: { $0.key.code < $1.key.code }) {
            append(currency.code)
            append(sum)
        }
    }
}

extension FieldReader {
    /// The sums up to the end of `byteCount`.
    fileprivate mutating func sums(upTo byteCount: Int) throws(Failure) -> CurrencySums {
        var sums: [Currency: UInt64] = [:]
        while offset < byteCount {
            // A release can remove a currency; then no policy has a ceiling for it.
            let currency = Currency(try text(atMost: 3))
            let sum: UInt64 = try number()
            if let currency { sums[currency] = sum }
        }
        return CurrencySums(sums)
    }
}

extension Row {
    func consentTotal() throws(StoreFailure) -> ConsentTotal? {
        guard let stored = try optionalBytes(.consents) else { return nil }
        var reader = FieldReader(stored)
        do throws(FieldReader.Failure) {
            let epoch = Epoch(try reader.number())
            let count: UInt64 = try reader.number()
            let sums = try reader.sums(upTo: stored.count).minorUnits
            return ConsentTotal(epoch: epoch, count: Int(clamping: count), minorUnits: sums)
        } catch {
            throw .damaged
        }
    }

    func sums(_ column: Column) throws(StoreFailure) -> CurrencySums? {
        guard let stored = try optionalBytes(column) else { return nil }
        var reader = FieldReader(stored)
        do throws(FieldReader.Failure) {
            return try reader.sums(upTo: stored.count)
        } catch {
            throw .damaged
        }
    }
}
