package import TransactionApproval

extension Ledger {
    package func device(_ id: DeviceID) throws(StoreFailure) -> Device? {
        guard let row = try row(Self.selectDevice, [SQLValue(id)]) else { return nil }
        return Device(
            id: id,
            account: try row.account(0),
            publicKey: try row.bytes(3),
            name: try row.text(4),
            activated: try row.moment(6),
            standing: try row.value(5)
        )
    }

    package func add(_ device: Device) throws(StoreFailure) {
        try change(
            Self.insertDevice,
            [SQLValue(device.id)] + .account(device.account) + [
                .bytes(device.publicKey), .text(device.name),
                .integer(Int64(device.standing.rawValue)), SQLValue(device.activated),
            ]
        )
    }

    package func save(_ device: Device) throws(StoreFailure) {
        try change(
            Self.updateDevice,
            [SQLValue(device.id)] + .account(device.account) + [
                .integer(Int64(device.standing.rawValue))
            ]
        )
    }

    private static let selectDevice = Statement(
        """
        SELECT enterprise, account_type, account_id, public_key, name, standing, activated
        FROM devices WHERE id = $1
        """
    )
    private static let insertDevice = Statement(
        """
        INSERT INTO devices (id, enterprise, account_type, account_id, public_key, name,
            standing, activated, notifications)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '')
        """
    )
    private static let updateDevice = Statement(
        """
        UPDATE devices SET enterprise = $2, account_type = $3, account_id = $4, standing = $5
        WHERE id = $1
        """
    )
}
