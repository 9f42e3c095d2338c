/// A credential in one generation.
///
/// All keys and codes are bound to these four values.
package struct CredentialContext: Hashable, Codable, Sendable {
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

    /// The next generation; nil after the last one.
    package var rekeyed: CredentialContext? {
        generation.next.map {
            CredentialContext(enterprise: enterprise, id: id, kind: kind, generation: $0)
        }
    }
}

extension FieldWriter {
    package mutating func append(_ credential: CredentialContext) {
        append(credential.enterprise)
        append(credential.id)
        append(credential.kind.rawValue)
        append(credential.generation)
    }
}
