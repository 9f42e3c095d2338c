package import StrictJSON

/// A notification: the ids of a pending transaction and its account.
///
/// It is a hint. The device fetches the transaction and compares it.
package struct PushPayload: Hashable, Sendable {
    package let transactionID: TransactionID
    package let account: AccountKey

    package init(transactionID: TransactionID, account: AccountKey) {
        self.transactionID = transactionID
        self.account = account
    }
}

// MARK: Its JSON

extension PushPayload {
    /// Accepts an object of exactly three members, at most 4 KiB.
    package init(reading bytes: [UInt8]) throws(StrictJSON.Failure) {
        let members = try StrictJSON.decode(
            Members.self,
            from: bytes,
            limits: Self.limits
        )
        transactionID = members.transactionID
        account = AccountKey(type: members.accountType, id: members.accountID)
    }

    package var written: [UInt8] {
        // Identifiers need no JSON escapes.
        Array(
            (#"{"sa_transaction_id":"\#(transactionID)","#
                + #""account_id":"\#(account.id)","account_type":"\#(account.type)"}"#).utf8
        )
    }

    static let limits = StrictJSON.Limits(byteCount: 4096, depth: 4, valueCount: 16)

    private struct Members: Decodable {
        let transactionID: TransactionID
        let accountID: AccountID
        let accountType: AccountType

        enum CodingKeys: String, CodingKey {
            case transactionID = "sa_transaction_id"
            case accountID = "account_id"
            case accountType = "account_type"
        }
    }
}
