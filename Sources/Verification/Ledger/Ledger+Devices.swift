import OneTimePassword
package import TransactionApproval

extension Ledger {
    package func device(_ id: DeviceID) throws(StoreFailure) -> Device? {
        guard let row = try row(Self.selectDevice, [SQLValue(id)]) else { return nil }
        return Device(
            id: id,
            account: try row.account(0),
            kind: try row.deviceKind(3),
            name: try row.text(5),
            activated: try row.moment(7),
            status: try row.value(6)
        )
    }

    /// Whether a token with this serial number is there that was not revoked, whosever it is.
    func hasToken(
        _ serial: DeviceName,
        in enterprise: EnterpriseID
    ) throws(StoreFailure) -> Bool {
        try row(Self.selectToken, [SQLValue(enterprise), .text(serial.text)]) != nil
    }

    /// The first counter that no revoked token with this serial number has used.
    func unusedCounter(
        ofRevokedTokens serial: DeviceName,
        in enterprise: EnterpriseID
    ) throws(StoreFailure) -> Counter {
        let row = try row(Self.selectCounter, [SQLValue(enterprise), .text(serial.text)])
        guard let row, try row.optionalInteger(0) != nil else { return Counter(0) }
        return Counter(try row.number(0))
    }

    package func add(_ device: Device) throws(StoreFailure) {
        try change(Self.insertDevice, [SQLValue(device.id)] + device.stored)
        try trace(.device, [SQLValue(device.id)], holds: device.stored)
    }

    package func save(_ device: Device, replacing old: Device) throws(StoreFailure) {
        try change(
            Self.updateDevice,
            [SQLValue(device.id)] + .account(device.account) + [
                .integer(Int64(device.status.rawValue))
            ]
        )
        try trace(.device, [SQLValue(device.id)], held: old.stored, holds: device.stored)
    }

    private static let selectDevice = Statement(
        """
        SELECT enterprise, account_type, account_id, public_key, token, name, standing, activated
        FROM devices WHERE id = $1
        """
    )
    private static let insertDevice = Statement(
        """
        INSERT INTO devices (id, enterprise, account_type, account_id, public_key, token,
            name, standing, activated, notifications)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '')
        """
    )
    private static let selectToken = Statement(
        """
        SELECT 1 FROM devices
        WHERE enterprise = $1 AND name = $2 AND token IS NOT NULL AND standing <> 3
        """
    )
    private static let selectCounter = Statement(
        """
        SELECT MAX(credentials.counter)
        FROM devices JOIN credentials ON credentials.device = devices.id
        WHERE devices.enterprise = $1 AND devices.name = $2 AND devices.token IS NOT NULL
            AND devices.standing = 3
        """
    )
    private static let updateDevice = Statement(
        """
        UPDATE devices SET enterprise = $2, account_type = $3, account_id = $4, standing = $5
        WHERE id = $1
        """
    )
}

extension Device {
    fileprivate var stored: [SQLValue] {
        .account(account) + [
            SQLValue(kind.publicKey), kind.suite.map { .text($0.text) } ?? .null, .text(name),
            .integer(Int64(status.rawValue)), SQLValue(activated),
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
    /// The key or the suite of a token, in two columns from `column` on.
    func deviceKind(_ column: Int) throws(StoreFailure) -> Device.Kind {
        switch (try optionalBytes(column), try optionalText(column + 1)) {
        case (let publicKey?, nil): return .installation(publicKey: publicKey)
        case (nil, let text?):
            guard let suite = TokenSuite(text) else { throw .damaged }
            return .token(suite)
        default: throw .damaged
        }
    }
}
