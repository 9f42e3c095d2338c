import Cryptography
import TransactionApproval

/// In exports and in the journal a record is one object with all values that its hash covers.
extension AuditRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case sequence, moment, actor, kind, enterprise
        case accountType = "account_type"
        case accountID = "account_id"
        case subject, detail, traces, hash
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let account: AccountReference? =
            try members.contains(.enterprise)
            ? AccountReference(
                enterprise: members.decode(EnterpriseID.self, forKey: .enterprise),
                key: AccountKey(
                    type: members.decode(AccountType.self, forKey: .accountType),
                    id: members.decode(AccountID.self, forKey: .accountID)
                )
            ) : nil
        guard
            let moment = Timestamp(milliseconds: try members.decode(UInt64.self, forKey: .moment)),
            let actor = Actor(try members.decode(String.self, forKey: .actor)),
            let kind = Event.Kind(rawValue: try members.decode(String.self, forKey: .kind))
        else { throw DecodingError.noRecord(decoder) }
        let event = Event(
            kind,
            of: try members.decode(String.self, forKey: .subject),
            in: account,
            detail: try members.decode(String.self, forKey: .detail)
        )
        self.init(
            sequence: try members.decode(UInt64.self, forKey: .sequence),
            moment: moment,
            actor: actor,
            event: event,
            traces: try members.decode(Hexadecimal.self, forKey: .traces).bytes,
            hash: try members.decode(Hexadecimal.self, forKey: .hash).bytes
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(sequence, forKey: .sequence)
        try members.encode(moment.milliseconds, forKey: .moment)
        try members.encode(actor.text, forKey: .actor)
        try members.encode(event.kind.rawValue, forKey: .kind)
        if let account = event.account {
            try members.encode(account.enterprise, forKey: .enterprise)
            try members.encode(account.key.type, forKey: .accountType)
            try members.encode(account.key.id, forKey: .accountID)
        }
        try members.encode(event.subject, forKey: .subject)
        try members.encode(event.detail, forKey: .detail)
        try members.encode(Hexadecimal(traces), forKey: .traces)
        try members.encode(Hexadecimal(hash), forKey: .hash)
    }
}

extension DecodingError {
    static func noRecord(_ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(
            Context(codingPath: decoder.codingPath, debugDescription: "not an audit record")
        )
    }
}
