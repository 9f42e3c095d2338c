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
        guard
            let moment = Timestamp(milliseconds: try members.decode(UInt64.self, forKey: .moment)),
            let actor = Actor(try members.decode(String.self, forKey: .actor)),
            let kind = Event.Kind(rawValue: try members.decode(String.self, forKey: .kind))
        else { throw DecodingError.noRecord(decoder) }
        let event = Event(
            kind,
            of: try members.decode(String.self, forKey: .subject),
            within: try Self.concern(members),
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

    private static func concern(
        _ members: KeyedDecodingContainer<CodingKeys>
    ) throws -> EventConcern? {
        guard members.contains(.enterprise) else { return nil }
        let enterprise = try members.decode(EnterpriseID.self, forKey: .enterprise)
        guard members.contains(.accountType) else { return .enterprise(enterprise) }
        let key = AccountKey(
            type: try members.decode(AccountType.self, forKey: .accountType),
            id: try members.decode(AccountID.self, forKey: .accountID)
        )
        return .account(AccountReference(enterprise: enterprise, key: key))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(sequence, forKey: .sequence)
        try members.encode(moment.milliseconds, forKey: .moment)
        try members.encode(actor.text, forKey: .actor)
        try members.encode(event.kind.rawValue, forKey: .kind)
        if let concern = event.concern {
            try members.encode(concern.enterprise, forKey: .enterprise)
        }
        if let account = event.account {
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
