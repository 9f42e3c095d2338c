package import Storage
package import TransactionApproval

extension Ledger {
    package func account(_ reference: AccountReference) throws(StoreFailure) -> Account? {
        guard let row = try row(Self.query(of: reference)) else { return nil }
        return try account(row, in: reference.enterprise)
    }

    static func query(of account: AccountReference) -> Query {
        Query(selectAccount, .account(account))
    }

    /// Whether another account replaced this one, which ended its devices, requests and activations.
    ///
    /// A writer of the database can hide such a row from the replacement, and put it back later. So
    /// each use of a request or an activation checks this.
    func isReplaced(_ account: AccountReference) throws(StoreFailure) -> Bool {
        guard let found = try self.account(account) else { throw .damaged }
        return found.replacedBy != nil
    }

    private func account(
        _ row: Row,
        in enterprise: EnterpriseID
    ) throws(StoreFailure) -> Account {
        let key = try reading(row, of: .accounts, [SQLValue(enterprise)]) {
            row throws(StoreFailure) in try AccountKey(row)
        }
        let reference = AccountReference(enterprise: enterprise, key: key)
        try check(.account, in: row, key: .account(reference))
        return Account(
            reference: reference,
            person: try row.optionalBytes(.person).map { PersonID(checked: $0) },
            mutedUntil: try row.optionalMoment(.mutedUntil),
            replacedBy: try row.isNull(.replacedByType)
                ? nil
                : AccountKey(
                    type: try row.identifier(.replacedByType),
                    id: try row.identifier(.replacedByID)
                ),
            consents: try row.consentTotal(),
            isTest: try row.flag(.isTest)
        )
    }

    /// Returns false if the account exists.
    package func add(
        _ reference: AccountReference,
        of person: PersonID? = nil,
        isTest: Bool = false
    ) throws(StoreFailure) -> Bool {
        let account = Account(reference: reference, person: person, isTest: isTest)
        return try addIfMissing(
            account.stored,
            .account,
            by: Self.insertAccount,
            tracing: isTest ? [.account, .testMark] : [.account]
        )
    }

    package func save(_ account: Account) throws(StoreFailure) {
        let traced: [TracedPart] = [.account, .consents]
        try update(account.stored, .account, by: Self.updateAccount, tracing: traced)
    }

    func saveConsents(of account: Account) throws(StoreFailure) {
        try update(account.stored, .account, by: Self.updateAccount, tracing: [.consents])
    }

    package func mute(_ account: AccountReference, until end: Timestamp) throws(StoreFailure) {
        guard var account = try self.account(account) else { throw .damaged }
        account.mutedUntil = end
        try save(account)
    }

    /// Assigns both accounts, with all accounts that they are linked to, to one person.
    package func link(
        _ first: Account,
        _ second: Account,
        as newPerson: PersonID
    ) throws(StoreFailure) {
        let person = first.person ?? second.person ?? newPerson
        for account in [first, second] where account.person != person {
            for var linked in try allAccounts(of: account) {
                linked.person = person
                try save(linked)
            }
        }
    }

    /// The account and all others of its person, including replaced accounts.
    func allAccounts(of account: Account) throws(StoreFailure) -> [Account] {
        guard let person = account.person else { return [account] }
        let enterprise = account.reference.enterprise
        return try rows(Self.selectOfPerson, [SQLValue(enterprise), SQLValue(person)]) {
            row throws(StoreFailure) in try self.account(row, in: enterprise)
        }
    }

    /// The account, and all of its person that it replaced or that replaced it.
    func replacements(with account: Account) throws(StoreFailure) -> [Account] {
        let accounts = try allAccounts(of: account)
        func last(_ account: Account) -> AccountReference {
            var account = account
            // A forged row could close a circle.
            for _ in accounts {
                let next = accounts.first { $0.reference.key == account.replacedBy }
                guard let next else { break }
                account = next
            }
            return account.reference
        }
        return accounts.filter { last($0) == last(account) }
    }

    /// The account and all accounts that are linked to it, without replaced accounts.
    package func linkedAccounts(of account: Account) throws(StoreFailure) -> [AccountKey] {
        guard account.person != nil else { return [account.reference.key] }
        return try allAccounts(of: account).filter { $0.replacedBy == nil }.map(\.reference.key)
    }

    /// Returns nil if all accounts of the person were replaced, or there are none.
    func firstAccount(
        of person: PersonID,
        in enterprise: EnterpriseID
    ) throws(StoreFailure) -> AccountKey? {
        try row(Self.selectFirst, [SQLValue(enterprise), SQLValue(person)]).map(AccountKey.init(_:))
    }

    package func devices(of account: AccountReference) throws(StoreFailure) -> [Device] {
        try connection.rows(Self.queryOfDevices(of: account)).map(device(_:))
    }

    static func queryOfDevices(of account: AccountReference) -> Query {
        Query(selectDevices, .account(account))
    }

    func activeDeviceCount(of account: AccountReference) throws(StoreFailure) -> Int {
        try devices(of: account).count { $0.status == .active }
    }

    private static let selectAccount = Statement(
        """
        SELECT \(Table.accounts.columns) FROM accounts WHERE \(match: Table.accounts.key)
        """
    )
    private static let insertAccount = Statement(
        """
        INSERT INTO accounts \(insert: Table.accounts.columns)
        ON CONFLICT (enterprise, type, id) DO NOTHING
        """
    )
    private static let updateAccount = Statement(
        "UPDATE accounts SET \(set: Table.accounts.values) WHERE \(match: Table.accounts.key)"
    )
    private static let selectOfPerson = Statement(
        """
        SELECT \(Table.accounts.columns) FROM accounts WHERE \(match: [.enterprise, .person])
        ORDER BY type, id
        """
    )
    private static let selectFirst = Statement(
        """
        SELECT \(Table.accounts.key + [.person]) FROM accounts
        WHERE \(match: [.enterprise, .person]) AND replaced_by_id IS NULL
        ORDER BY type, id LIMIT 1
        """
    )
    private static let selectDevices = Statement(
        """
        SELECT \(Table.devices.columns) FROM devices
        WHERE \(match: .account) ORDER BY activated, id
        """
    )
}

extension Account {
    fileprivate var stored: NamedValues {
        [
            .enterprise: SQLValue(reference.enterprise),
            .type: SQLValue(reference.key.type),
            .id: SQLValue(reference.key.id),
            .person: SQLValue(person?.bytes),
            .mutedUntil: SQLValue(mutedUntil),
            .replacedByType: SQLValue(replacedBy?.type),
            .replacedByID: SQLValue(replacedBy?.id),
            .isTest: .integer(isTest ? 1 : 0),
            .consents: SQLValue(consents),
        ]
    }
}

extension AccountKey {
    /// Reads the table of accounts.
    fileprivate init(_ row: Row) throws(StoreFailure) {
        self.init(type: try row.identifier(.type), id: try row.identifier(.id))
    }
}
