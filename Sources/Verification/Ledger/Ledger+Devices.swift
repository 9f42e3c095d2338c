import OneTimePassword
package import Storage
package import TransactionApproval

extension Ledger {
    package func device(_ id: DeviceID) throws(StoreFailure) -> Device? {
        try row(Self.query(of: id)).map { row throws(StoreFailure) in try device(id, row) }
    }

    static func query(of device: DeviceID) -> Query { Query(selectDevice, [SQLValue(device)]) }

    func device(_ row: Row) throws(StoreFailure) -> Device {
        try device(try row.identifier(.id), row)
    }

    private func device(_ id: DeviceID, _ row: Row) throws(StoreFailure) -> Device {
        try check(.device, in: row, key: [SQLValue(id)])
        return try Device(id, row)
    }

    /// The work of reading a device, for an unknown one: the time must not show that it is unknown.
    ///
    /// Only the columns of the database's own row are not read.
    func readDecoy(of id: DeviceID) throws(StoreFailure) {
        let values =
            Device.decoy.stored + [
                .tag: .null, .notifications: .text(""), .notificationsTag: .null,
            ]
        let row = Row(try values[Table.devices.values], of: Self.selectDevice)
        _ = memory?.find(RowName(.device, [SQLValue(id)]))
        _ = try row.digests(of: .device)
        _ = try Device(id, row)
    }

    /// Whether a token with this serial number exists that is not revoked, for any account.
    func hasToken(_ serial: DeviceName, in enterprise: EnterpriseID) throws(StoreFailure) -> Bool {
        try row(Self.selectToken, [SQLValue(enterprise), .text(serial.text)]) != nil
    }

    /// The first counter that no revoked token with this serial number has used.
    func unusedCounter(
        ofRevokedTokens serial: DeviceName,
        in enterprise: EnterpriseID
    ) throws(StoreFailure) -> Counter {
        let values = [SQLValue(enterprise), .text(serial.text)]
        let devices: [DeviceID] = try rows(Self.selectRevokedTokens, values) {
            row throws(StoreFailure) in try row.identifier(.id)
        }
        var unused = Counter(0)
        for device in devices {
            guard let state = try typedCredentialState(on: device) else { throw .damaged }
            guard state.device.name == serial.text, state.device.account.enterprise == enterprise
            else { throw .forged(row: Table.devices.description(of: [SQLValue(device)])) }
            unused = max(unused, state.credential.counter)
        }
        return unused
    }

    package func add(_ device: Device) throws(StoreFailure) {
        try add(device.stored + [.notifications: .text("")], .device, .notifications)
    }

    /// A revoked device no longer gets notifications, so its address is erased.
    package func save(_ device: Device) throws(StoreFailure) {
        try update(device.stored, .device, by: Self.updateDevice, tracing: [.device, .wait])
        if device.status == .revoked, try hasReadablePush(device.id) {
            try setPush(.off, on: device.id)
        }
    }

    /// False for a forged setting, which must not keep a device from being revoked.
    private func hasReadablePush(_ device: DeviceID) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            return try pushSetting(of: device) != .off
        } catch {
            switch error.reason {
            case .forged, .damaged: return false
            default: throw error
            }
        }
    }

    /// The devices of the person, in any status, on this account and the linked ones.
    func devices(ofPersonWith reference: AccountReference) throws(StoreFailure) -> [Device] {
        guard let account = try account(reference) else { throw .damaged }
        var devices: [Device] = []
        for account in try allAccounts(of: account) {
            devices += try self.devices(of: account.reference)
        }
        return devices
    }

    private static let selectDevice = Statement(
        "SELECT \(Table.devices.values) FROM devices WHERE \(match: [.id])"
    )
    private static let selectToken = Statement(
        """
        SELECT 1 FROM devices
        WHERE enterprise = $1 AND name = $2 AND token_suite IS NOT NULL
            AND status <> \(Device.Status.revoked)
        """
    )
    private static let selectRevokedTokens = Statement(
        """
        SELECT \([.id]) FROM devices
        WHERE enterprise = $1 AND name = $2 AND token_suite IS NOT NULL
            AND status = \(Device.Status.revoked)
        """
    )
    private static let updateDevice = Statement(
        """
        UPDATE devices SET \(set: .account + [.status, .waits, .waitingAmounts, .tag])
        WHERE \(match: [.id])
        """
    )
}

extension Device {
    fileprivate init(_ id: DeviceID, _ row: Row) throws(StoreFailure) {
        let kind = try row.deviceKind()
        self.init(
            id: id,
            account: try row.account(),
            kind: kind,
            isWeb: try row.isWeb(),
            name: try row.text(.name),
            activated: try row.moment(.activated),
            waits: try row.waits(kind),
            waitingAmounts: try row.sums(.waitingAmounts) ?? CurrencySums(),
            status: try row.value(.status)
        )
    }

    /// Like an app's row; it is never stored.
    fileprivate static let decoy = Device(
        id: DeviceID(checked: Array(repeating: 0, count: 16)),
        account: AccountReference(
            enterprise: EnterpriseID(checked: "decoy"),
            key: AccountKey(
                type: AccountType(checked: "decoy"),
                id: AccountID(checked: "decoy")
            )
        ),
        kind: .installation(publicKey: Array(repeating: 0, count: 65)),
        isWeb: false,
        name: "Decoy",
        activated: .earliest,
        waits: false
    )

    /// Without the push setting, which is written separately.
    fileprivate var stored: NamedValues {
        .account(account) + [
            .id: SQLValue(id), .publicKey: SQLValue(kind.publicKey),
            .tokenSuite: SQLValue(kind.suite?.text), .name: .text(name),
            .status: SQLValue(status), .activated: SQLValue(activated),
            .waits: kind.isInstallation ? SQLValue(waits) : .null,
            .waitingAmounts: SQLValue(waitingAmounts), .isWeb: .mark(isWeb),
        ]
    }
}

extension Device.Kind {
    fileprivate var publicKey: [UInt8]? {
        if case .installation(let publicKey) = self { publicKey } else { nil }
    }

    fileprivate var suite: TokenSuite? {
        if case .token(let suite) = self { suite } else { nil }
    }
}

extension SQLValue {
    /// Null if the mark is not set, as in rows of earlier versions.
    static func mark(_ isSet: Bool) -> SQLValue { isSet ? .integer(1) : .null }
}

extension Row {
    /// The tag proves that the mark is set, or that it is not.
    func isWeb() throws(StoreFailure) -> Bool { try !isNull(.isWeb) }

    /// Earlier versions did not store it, so their installations wait.
    fileprivate func waits(_ kind: Device.Kind) throws(StoreFailure) -> Bool {
        try isNull(.waits) ? kind.isInstallation : flag(.waits)
    }

    /// An installation has a public key, a token has a suite.
    func deviceKind() throws(StoreFailure) -> Device.Kind {
        switch (try optionalBytes(.publicKey), try optionalText(.tokenSuite)) {
        case (let publicKey?, nil): return .installation(publicKey: publicKey)
        case (nil, let text?):
            guard let suite = TokenSuite(text) else { throw .damaged }
            return .token(suite)
        default: throw .damaged
        }
    }
}
