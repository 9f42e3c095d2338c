import Cryptography

/// Replaces a seed, authorized by a code of the user credential.
package enum RekeyExchange: DeviceExchange {
    package static let route = DeviceRoute.rekey

    package struct Request: DeviceMessage {
        package let rekey: RekeyRequest
        package let envelope: CodeEnvelope

        package init(rekey: RekeyRequest, envelope: CodeEnvelope) {
            self.rekey = rekey
            self.envelope = envelope
        }
    }

    package typealias Response = NoContent
}

extension RekeyProposal: Codable {
    private enum CodingKeys: CodingKey {
        case authority, credential, ephemeralKey, serverKey
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let proposal = RekeyProposal(
            authority: try members.decode(CredentialContext.self, forKey: .authority),
            credential: try members.decode(CredentialContext.self, forKey: .credential),
            ephemeralKey: try members.decode(P256.PublicKey.self, forKey: .ephemeralKey),
            serverKey: try members.decode(ServerKeyID.self, forKey: .serverKey)
        )
        guard let proposal else { throw DecodingError.refused(in: decoder) }
        self = proposal
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(authority, forKey: .authority)
        try members.encode(credential, forKey: .credential)
        try members.encode(ephemeralKey, forKey: .ephemeralKey)
        try members.encode(serverKey, forKey: .serverKey)
    }
}
