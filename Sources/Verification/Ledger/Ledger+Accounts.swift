package import TransactionApproval

extension Ledger {
    package func account(_ reference: AccountReference) throws(StoreFailure) -> Account? {
        guard let row = try row(Self.selectAccount, .account(reference)) else { return nil }
        return Account(
            reference: reference,
            person: try row.optionalBytes(0).map { PersonID(checked: $0) },
            mutedUntil: try row.optionalMoment(1),
            replacedBy: try row.optionalText(2) == nil
                ? nil : AccountKey(type: try row.identifier(2), id: try row.identifier(3))
        )
    }

    /// False where it is there already.
    package func add(
        _ reference: AccountReference,
        of person: PersonID? = nil
    ) throws(StoreFailure) -> Bool {
        let values: [SQLValue] = .account(reference) + [SQLValue(person?.bytes)]
        guard try connection.run(Self.insertAccount, values) == 1 else { return false }
        try trace(.account, values.prefix(3), holds: values.dropFirst(3) + [.null, .null, .null])
        return true
    }

    package func save(_ new: Account, replacing old: Account) throws(StoreFailure) {
        let key: [SQLValue] = .account(new.reference)
        try change(Self.updateAccount, key + new.changing)
        try trace(.account, key, held: old.changing, holds: new.changing)
    }

    package func mute(
        _ account: AccountReference,
        until end: Timestamp
    ) throws(StoreFailure) {
        guard let old = try self.account(account) else { throw .damaged }
        var new = old
        new.mutedUntil = end
        try save(new, replacing: old)
    }

    /// Makes the accounts those of one person, with all that either was linked to.
    package func link(
        _ first: Account,
        _ second: Account,
        as newPerson: PersonID
    ) throws(StoreFailure) {
        let person = first.person ?? second.person ?? newPerson
        for account in [first, second] where account.person != person {
            for old in try allAccounts(of: account) {
                var new = old
                new.person = person
                try save(new, replacing: old)
            }
        }
    }

    /// The account and all of its person's, also those that others took the place of.
    func allAccounts(of account: Account) throws(StoreFailure) -> [Account] {
        guard let person = account.person else { return [account] }
        let enterprise = account.reference.enterprise
        var accounts: [Account] = []
        for row in try connection.rows(
            Self.selectOfPerson,
            [SQLValue(enterprise), SQLValue(person)]
        ) {
            let key = AccountKey(type: try row.identifier(0), id: try row.identifier(1))
            let reference = AccountReference(enterprise: enterprise, key: key)
            guard let account = try self.account(reference) else { throw .damaged }
            accounts.append(account)
        }
        return accounts
    }

    /// The account itself and all that are linked to it, in the order of their names.
    ///
    /// None that another one took the place of.
    package func linkedAccounts(of account: Account) throws(StoreFailure) -> [AccountKey] {
        guard let person = account.person else { return [account.reference.key] }
        return try connection.rows(
            Self.selectLinked,
            [SQLValue(account.reference.enterprise), SQLValue(person)]
        ).map { row throws(StoreFailure) in
            AccountKey(type: try row.identifier(0), id: try row.identifier(1))
        }
    }

    /// Nil where the person has no account that none took the place of.
    func firstAccount(
        of person: PersonID,
        in enterprise: EnterpriseID
    ) throws(StoreFailure) -> AccountKey? {
        try row(Self.selectFirst, [SQLValue(enterprise), SQLValue(person)])
            .map { row throws(StoreFailure) in
                AccountKey(type: try row.identifier(0), id: try row.identifier(1))
            }
    }

    package func devices(of account: AccountReference) throws(StoreFailure) -> [Device] {
        var devices: [Device] = []
        for row in try connection.rows(Self.selectDevices, .account(account)) {
            if let device = try device(try row.identifier(0)) { devices.append(device) }
        }
        return devices
    }

    func activeDeviceCount(of account: AccountReference) throws(StoreFailure) -> Int {
        try devices(of: account).count { $0.status == .active }
    }

    private static let selectAccount = Statement(
        """
        SELECT person, muted_until, replaced_by_type, replaced_by_id FROM accounts
        WHERE enterprise = $1 AND type = $2 AND id = $3
        """
    )
    private static let insertAccount = Statement(
        """
        INSERT INTO accounts (enterprise, type, id, person) VALUES ($1, $2, $3, $4)
        ON CONFLICT (enterprise, type, id) DO NOTHING
        """
    )
    private static let updateAccount = Statement(
        """
        UPDATE accounts SET person = $4, muted_until = $5, replaced_by_type = $6,
            replaced_by_id = $7
        WHERE enterprise = $1 AND type = $2 AND id = $3
        """
    )
    private static let selectOfPerson = Statement(
        """
        SELECT type, id FROM accounts WHERE enterprise = $1 AND person = $2 ORDER BY type, id
        """
    )
    private static let selectLinked = Statement(
        """
        SELECT type, id FROM accounts
        WHERE enterprise = $1 AND person = $2 AND replaced_by_id IS NULL
        ORDER BY type, id
        """
    )
    private static let selectFirst = Statement(
        """
        SELECT type, id FROM accounts
        WHERE enterprise = $1 AND person = $2 AND replaced_by_id IS NULL
        ORDER BY type, id LIMIT 1
        """
    )
    private static let selectDevices = Statement(
        """
        SELECT id FROM devices WHERE enterprise = $1 AND account_type = $2 AND account_id = $3
        ORDER BY activated, id
        """
    )
}

extension Account {
    fileprivate var changing: [SQLValue] {
        [
            SQLValue(person?.bytes), SQLValue(mutedUntil),
            replacedBy.map { SQLValue($0.type) } ?? .null,
            replacedBy.map { SQLValue($0.id) } ?? .null,
        ]
    }
}
