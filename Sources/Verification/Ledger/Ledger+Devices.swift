import OneTimePassword
package import Storage
package import TransactionApproval

extension Ledger {
    package func device(_ id: DeviceID) throws(StoreFailure) -> Device? {
        guard let row = try row(Self.selectDevice, [SQLValue(id)]) else { return nil }
        return Device(
            id: id,
            account: try row.account(),
            kind: try row.deviceKind(),
            name: try row.text(.name),
            activated: try row.moment(.activated),
            status: try row.value(.status)
        )
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
        let row = try row(Self.selectCounter, [SQLValue(enterprise), .text(serial.text)])
        guard let row, try !row.isNull(.counter) else { return Counter(0) }
        return Counter(try row.number(.counter))
    }

    package func add(_ device: Device) throws(StoreFailure) {
        try change(Self.insertDevice, device.stored + [.notifications: .text("")])
        try trace(.device, holds: device.stored)
    }

    package func save(_ device: Device, replacing old: Device) throws(StoreFailure) {
        try change(Self.updateDevice, device.stored)
        try trace(.device, held: old.stored, holds: device.stored)
    }

    private static let selectDevice = Statement(
        "SELECT \(Table.devices.values) FROM devices WHERE id = $1"
    )
    private static let insertDevice = Statement(
        "INSERT INTO devices \(insert: Table.devices.columns)"
    )
    private static let selectToken = Statement(
        """
        SELECT 1 FROM devices
        WHERE enterprise = $1 AND name = $2 AND token_suite IS NOT NULL
            AND status <> \(Device.Status.revoked)
        """
    )
    private static let selectCounter = Statement(
        """
        SELECT \(.counter, from: "MAX(credentials.counter)")
        FROM devices JOIN credentials ON credentials.device = devices.id
        WHERE devices.enterprise = $1 AND devices.name = $2 AND devices.token_suite IS NOT NULL
            AND devices.status = \(Device.Status.revoked)
        """
    )
    private static let updateDevice = Statement(
        "UPDATE devices SET \(set: .account + [.status]) WHERE \(match: [.id])"
    )
}

extension Device {
    /// Without the push setting, which is written separately.
    fileprivate var stored: NamedValues {
        .account(account) + [
            .id: SQLValue(id), .publicKey: SQLValue(kind.publicKey),
            .tokenSuite: SQLValue(kind.suite?.text), .name: .text(name),
            .status: SQLValue(status), .activated: SQLValue(activated),
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

extension Row {
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
