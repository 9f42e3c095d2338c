import Cryptography
import Storage
import TransactionApproval

extension Ledger {
    /// Off until the device chooses a setting; nil if the device does not exist.
    func pushSetting(of device: DeviceID) throws(StoreFailure) -> PushSetting? {
        guard let row = try row(Self.selectPush, [SQLValue(device)]) else { return nil }
        try check(.notifications, in: row, key: [SQLValue(device)])
        guard let setting = PushSetting(stored: try row.text(.notifications)) else {
            throw .damaged
        }
        return setting
    }

    /// The number of these devices that get a push of a new transaction.
    func count(wantingPushesOf devices: [Device]) throws(StoreFailure) -> Int {
        var count = 0
        for device in devices where device.takesTransactions {
            if let setting = try pushSetting(of: device.id), setting != .off { count += 1 }
        }
        return count
    }

    func setPush(_ setting: PushSetting, on device: DeviceID) throws(StoreFailure) {
        guard try pushSetting(of: device) != nil else { throw .damaged }
        let values: NamedValues = [
            .id: SQLValue(device), .notifications: .text(setting.stored),
        ]
        try update(values, .notifications, by: Self.updatePush)
    }

    /// Returns nil if the device no longer gets this push, or if the record causes no push.
    ///
    /// A delivery has no tag, so another program can have made one of any record.
    func pushNotice(
        of record: AuditRecord,
        to id: DeviceID,
        at now: Timestamp
    ) throws(StoreFailure) -> PushNotice? {
        guard
            record.event.isPushed,
            let transaction = try pendingTransaction(record.event.subject, at: now),
            let device = try device(id),
            device.takesTransactions, device.account == transaction.account,
            let setting = try pushSetting(of: id), setting != .off
        else { return nil }
        return PushNotice(
            record: record,
            enterprise: transaction.account.enterprise,
            payload: PushPayload(transactionID: transaction.id, account: transaction.account.key),
            reference: try transaction.transaction().reference,
            deadline: transaction.deadline,
            device: id,
            setting: setting
        )
    }

    /// Whether the transaction can still be decided at that time: no transaction of another program can.
    func isPending(_ subject: String, at moment: Timestamp) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            return try pendingTransaction(subject, at: moment) != nil
        } catch {
            guard case .forged = error.reason else { throw error }
            recorded.skipped.append(error)
            return false
        }
    }

    private func pendingTransaction(
        _ subject: String,
        at moment: Timestamp
    ) throws(StoreFailure) -> TransactionRecord? {
        guard let id = TransactionID(subject) else { return nil }
        return try transaction(id).flatMap { $0.checkPending(at: moment).isAccepted ? $0 : nil }
    }

    private static let selectPush = Statement(
        "SELECT \([.notifications, .notificationsTag]) FROM devices WHERE id = $1"
    )
    private static let updatePush = Statement(
        "UPDATE devices SET \(set: [.notifications, .notificationsTag]) WHERE \(match: [.id])"
    )
}

extension PushSetting {
    /// For the audit trail, without the token.
    var name: String {
        switch self {
        case .off: "off"
        case .events: "events"
        case .fcm: "fcm"
        case .web: "web"
        }
    }

    var stored: String {
        switch self {
        case .off, .events: name
        case .fcm(let token): "\(name) \(token.text)"
        case .web(let subscription):
            "\(name) \(subscription.endpoint) \(subscription.storedKeys)"
        }
    }

    /// The setting of a new device is empty; nil for any other unknown text.
    fileprivate init?(stored: String) {
        switch stored {
        case "", "off": self = .off
        case "events": self = .events
        default:
            let parts = stored.split(separator: " ", omittingEmptySubsequences: false)
            switch (parts[0], parts.count) {
            case ("fcm", 2):
                guard let token = FCMToken(String(parts[1])) else { return nil }
                self = .fcm(token)
            case ("web", 3):
                guard
                    let subscription = WebPushSubscription(
                        String(parts[1]),
                        storedKeys: String(parts[2])
                    )
                else { return nil }
                self = .web(subscription)
            default: return nil
            }
        }
    }
}

extension WebPushSubscription {
    /// The key and the secret, as base64url without padding.
    fileprivate var storedKeys: String {
        let bytes = key.uncompressedPoint + secret
        return TextEncoding.base64URL.encode(bytes.span)
    }

    fileprivate init?(_ endpoint: String, storedKeys: String) {
        // The reason does not matter: the row is damaged.
        guard
            let bytes = try? TextEncoding.base64URL.decode(storedKeys),
            let key = try? P256.PublicKey(
                uncompressedPoint: bytes.span.extracting(
                    first: min(bytes.count, P256.uncompressedPointByteCount)
                )
            )
        else { return nil }
        let secret = Array(bytes.dropFirst(P256.uncompressedPointByteCount))
        self.init(endpoint: endpoint, key: key, secret: secret)
    }
}
