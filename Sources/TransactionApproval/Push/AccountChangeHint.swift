package import StrictJSON

/// A notification that an account changed: the device fetches the signed list of changes.
///
/// It has no content, so a forger can only cause a request.
package struct AccountChangeHint: Hashable, Sendable {
    package let account: AccountKey

    package init(of account: AccountKey) {
        self.account = account
    }
}

// MARK: Its JSON

extension AccountChangeHint {
    /// Accepts an object of exactly two members, within the limits of a push.
    package init(reading bytes: [UInt8]) throws(StrictJSON.Failure) {
        let members = try StrictJSON.decode(
            Members.self,
            from: bytes,
            limits: PushPayload.limits
        )
        account = AccountKey(type: members.accountType, id: members.accountID)
    }

    package var written: [UInt8] {
        // Identifiers need no JSON escapes.
        Array(#"{"account_id":"\#(account.id)","account_type":"\#(account.type)"}"#.utf8)
    }

    private struct Members: Decodable {
        let accountID: AccountID
        let accountType: AccountType

        enum CodingKeys: String, CodingKey {
            case accountID = "account_id"
            case accountType = "account_type"
        }
    }
}
