/// Who has to give what for a code of a credential.
package enum CredentialKind: String, CaseIterable, Sendable {
    /// The person's PIN.
    case user
    /// The device alone.
    case device
    /// A key that the platform releases to the person's body.
    case biometric
}

/// How often a credential was rekeyed.
package struct Generation: Hashable, Sendable {
    package let value: UInt64

    package init(_ value: UInt64) {
        self.value = value
    }

    package static let first = Generation(0)

    /// Nil after the last there is.
    package var next: Generation? { value == .max ? nil : Generation(value + 1) }
}

/// How often the verifier was restored from a backup.
package struct Epoch: Hashable, Sendable {
    package let value: UInt64

    package init(_ value: UInt64) {
        self.value = value
    }
}

/// One credential as it is between two rekeys: all keys and codes are bound to exactly this.
package struct CredentialContext: Hashable, Sendable {
    package let enterprise: EnterpriseID
    package let id: CredentialID
    package let kind: CredentialKind
    package let generation: Generation

    package init(
        enterprise: EnterpriseID,
        id: CredentialID,
        kind: CredentialKind,
        generation: Generation
    ) {
        self.enterprise = enterprise
        self.id = id
        self.kind = kind
        self.generation = generation
    }

    /// The same credential after one more rekey; nil after the last.
    package var rekeyed: CredentialContext? {
        generation.next.map {
            CredentialContext(enterprise: enterprise, id: id, kind: kind, generation: $0)
        }
    }
}

extension FieldWriter {
    package mutating func append(_ epoch: Epoch) { append(epoch.value) }

    package mutating func append(_ credential: CredentialContext) {
        append(credential.enterprise)
        append(credential.id)
        append(credential.kind.rawValue)
        append(credential.generation.value)
    }
}
