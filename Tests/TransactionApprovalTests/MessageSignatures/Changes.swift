import Cryptography
import TestSupport
import TransactionApproval

extension [HTTPField] {
    func value(_ name: String) -> String { first { $0.name == name }?.value ?? "" }

    func changing(
        _ name: String,
        _ change: (String) throws -> String
    ) rethrows -> [HTTPField] {
        try map { $0.name == name ? HTTPField(name, try change($0.value)) : $0 }
    }

    /// Every list with one bit of one value flipped.
    var withOneBitFlipped: [[HTTPField]] {
        withOneChanged { field in
            field.value.withOneBitFlipped.map { HTTPField(field.name, $0) }
        }
    }
}

/// The components and parameters of a signature, valid or not.
struct HandWrittenBase {
    /// Names as in the list, with quotes and parameters.
    var lines: [(identifier: String, value: String)]
    var parameters: String

    /// Each change: two swapped, one removed, one repeated.
    var withAnotherList: [HandWrittenBase] {
        let exchanged = lines.indices.flatMap { left in
            lines.indices.filter { $0 > left }.map { right in
                changed { $0.swapAt(left, right) }
            }
        }
        let shorter = lines.indices.map { index in changed { $0.remove(at: index) } }
        let longer = lines.indices.map { index in changed { $0.append($0[index]) } }
        return exchanged + shorter + longer
    }

    /// The fields with a signature over these components.
    func signing(_ fields: [HTTPField], with key: P256.PrivateKey) throws -> [HTTPField] {
        let input = "(\(lines.map(\.identifier).joined(separator: " ")))\(parameters)"
        let text =
            lines.map { "\($0.identifier): \($0.value)\n" }.joined()
            + "\"@signature-params\": \(input)"
        let bytes = Array(text.utf8)
        let raw = try key.signature(for: bytes.span).raw
        return
            fields
            .changing("signature-input") { _ in "countersign=\(input)" }
            .changing("signature") { _ in "countersign=:\(TextEncoding.base64.encode(raw.span)):" }
    }

    private func changed(
        _ change: (inout [(identifier: String, value: String)]) -> Void
    ) -> HandWrittenBase {
        var changed = self
        change(&changed.lines)
        return changed
    }
}

extension SignedExchange {
    /// The device's components, written independently.
    var requestBase: HandWrittenBase {
        HandWrittenBase(
            lines: [
                ("\"@method\"", request.message.method),
                ("\"@target-uri\"", request.message.targetURI),
                ("\"content-digest\"", request.fields.value("content-digest")),
                ("\"content-type\"", request.message.contentType),
            ],
            parameters: ";created=1618884473;nonce=\"\(parameters.nonce)\""
                + ";keyid=\"\(parameters.deviceID)\";tag=\"countersign-device-1\""
        )
    }

    /// The server's components, written independently.
    func responseBase(_ fields: [HTTPField]) throws -> HandWrittenBase {
        HandWrittenBase(
            lines: [
                ("\"@status\"", "\(Self.response.status)"),
                ("\"content-digest\"", fields.value("content-digest")),
                ("\"content-type\"", Self.response.contentType),
                ("\"@method\";req", request.message.method),
                ("\"@target-uri\";req", request.message.targetURI),
                ("\"content-digest\";req", request.fields.value("content-digest")),
                ("\"signature-input\";req", request.fields.value("signature-input")),
                ("\"signature\";req", request.fields.value("signature")),
            ],
            parameters: ";created=1618884473"
                + ";keyid=\"\(try ServerKeyID(of: serverKey.publicKey))\""
                + ";tag=\"countersign-server-1\""
        )
    }
}
