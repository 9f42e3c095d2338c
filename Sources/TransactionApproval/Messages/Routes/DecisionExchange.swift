package import Cryptography

/// Approves or rejects a transaction.
package enum DecisionExchange: DeviceExchange {
    package static let route = DeviceRoute.decision

    package struct Request: DeviceMessage {
        package let transaction: TransactionID
        package let choice: Choice
        /// The device key's signature of `DecisionEvidence`.
        package let evidence: P256.Signature
        package let envelope: CodeEnvelope

        package init(
            transaction: TransactionID,
            choice: Choice,
            evidence: P256.Signature,
            envelope: CodeEnvelope
        ) {
            self.transaction = transaction
            self.choice = choice
            self.evidence = evidence
            self.envelope = envelope
        }
    }

    package typealias Response = NoContent

    /// In JSON `{"approve":"userPIN"}` or `{"reject":"notMe"}`.
    package enum Choice: Equatable, Sendable {
        case approve(AuthenticationType)
        /// Always uses the device credential, so that no PIN is needed.
        case reject(RejectionReason)

        package var decision: Decision {
            switch self {
            case .approve: .approve
            case .reject(let reason): .reject(reason)
            }
        }

        package var credentialKind: CredentialKind {
            switch self {
            case .approve(let type): type.credentialKind
            case .reject: .device
            }
        }
    }
}

extension DecisionExchange.Choice: Codable {
    private enum CodingKeys: CodingKey {
        case approve, reject
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self =
            members.contains(.approve)
            ? .approve(try members.decode(AuthenticationType.self, forKey: .approve))
            : .reject(try members.decode(RejectionReason.self, forKey: .reject))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .approve(let type): try members.encode(type, forKey: .approve)
        case .reject(let reason): try members.encode(reason, forKey: .reject)
        }
    }
}
