/// The place of a private key: a file, or the token of an HSM.
package enum KeyPlace: Equatable, Sendable {
    case file(String)
    case token(label: String)

    private static let prefix = "pkcs11:"

    /// A path, or `pkcs11:LABEL`.
    package init(_ member: String) {
        self =
            member.hasPrefix(Self.prefix)
            ? .token(label: String(member.dropFirst(Self.prefix.count))) : .file(member)
    }
}
