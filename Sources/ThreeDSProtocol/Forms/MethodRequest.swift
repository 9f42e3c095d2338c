import Cryptography
import StrictJSON

/// The form of the 3DS Method: the browser visits the ACS before there is an AReq.
package struct MethodRequest: Sendable {
    package let serverTransID: String
    /// The address of the 3DS server, to which the browser returns.
    package let notificationURL: String

    package static let fieldName = "threeDSMethodData"
    /// That of version 2.3.1, because the form does not state its version.
    package static let maximumURLByteCount = 2048

    /// Nil if the form has no well-formed data: there is no address to return to then.
    package init?(_ fields: FormFields) {
        // Malformed text is an expected input, so the reason is not needed: `try?`.
        guard let text = fields[Self.fieldName],
            let bytes = try? TextEncoding.base64URL.decode(String(text.prefix { $0 != "=" })),
            let data = try? JSONValue(reading: bytes, limits: .message),
            let id = data["threeDSServerTransID"]?.text, isUUID(id),
            let url = data["threeDSMethodNotificationURL"]?.text,
            url.utf8.count <= Self.maximumURLByteCount, isURL(url, schemes: ["https", "http"])
        else { return nil }
        (serverTransID, notificationURL) = (id, url)
    }

    /// The field with which the browser returns.
    package var completion: (name: String, value: String) {
        let text = Array(#"{"threeDSServerTransID":"\#(serverTransID)"}"#.utf8)
        return (Self.fieldName, TextEncoding.base64URL.encode(text.span))
    }
}
