extension TextIdentifier {
    package init(from decoder: any Decoder) throws {
        self = try decoder.value(of: String.self) { Self($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.write(text)
    }
}

extension EnterpriseID: Codable {}
extension AccountType: Codable {}
extension AccountID: Codable {}
extension TransactionID: Codable {}
extension ExternalReference: Codable {}
extension TransactionNonce: RandomIdentifier {}
extension AuthenticationType: Codable {}

extension AccountKey: Codable {
    private enum CodingKeys: CodingKey {
        case type, id
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            type: try members.decode(AccountType.self, forKey: .type),
            id: try members.decode(AccountID.self, forKey: .id)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(type, forKey: .type)
        try members.encode(id, forKey: .id)
    }
}
