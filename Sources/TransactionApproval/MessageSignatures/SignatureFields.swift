import Cryptography

/// The two header fields of a signature.
struct SignatureFields {
    let input: String
    let value: String

    /// The label of the signature in both dictionaries.
    private static let label = "countersign="

    init(
        signing base: SignatureBase,
        with key: P256.PrivateKey
    ) throws(SignatureFailure) {
        let raw = try translatingSystemFailure(
            key.signature(for: base.bytes.span).raw,
            to: SignatureFailure.system
        )
        input = Self.label + base.signatureParameters
        value = "\(Self.label):\(TextEncoding.base64.encode(raw.span)):"
    }

    /// Each field must exist exactly once.
    init(_ fields: [HTTPField]) throws(SignatureFailure) {
        input = try fields.value(of: "signature-input")
        value = try fields.value(of: "signature")
    }

    /// The part behind the list of components; `over(_:)` checks the part before.
    var parameters: SentParameters {
        let end = input.utf8.firstIndex(of: UInt8(ascii: ")")) ?? input.endIndex
        return SentParameters(text: String(Substring(input.utf8[end...].dropFirst())))
    }

    var list: [HTTPField] {
        [HTTPField("signature-input", input), HTTPField("signature", value)]
    }

    /// The signature of `base`, if `Signature-Input` describes exactly `base`.
    ///
    /// Anyone can turn a signature into a second valid one (n − s for s), so a signature never
    /// identifies a message.
    func over(_ base: SignatureBase) throws(SignatureFailure) -> P256.Signature {
        guard input == Self.label + base.signatureParameters else {
            throw .malformed("signature-input")
        }
        let start = Self.label + ":"
        guard
            value.hasPrefix(start), value.hasSuffix(":"),
            // Another spelling and another length are both malformed.
            let raw = try? TextEncoding.base64.decode(
                String(Substring(value.utf8.dropFirst(start.utf8.count).dropLast()))
            ),
            let signature = try? P256.Signature(raw: raw.span)
        else { throw .malformed("signature") }
        return signature
    }
}
