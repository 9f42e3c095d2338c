/// The signed text: one line for each component, then the signature parameters (RFC 9421, section
/// 2.5).
package struct SignatureBase: Sendable {
    /// A covered component, with its name in RFC 9421.
    package struct Component: Equatable, Sendable {
        let name: String
        let value: String
        /// Whether it belongs to the request of this response (section 2.4).
        let isOfRequest: Bool

        package init(_ name: String, _ value: String, ofRequest isOfRequest: Bool = false) {
            self.name = name
            self.value = value
            self.isOfRequest = isOfRequest
        }

        fileprivate var identifier: String { "\"" + name + (isOfRequest ? "\";req" : "\"") }
    }

    package let bytes: [UInt8]
    /// The list of components, followed by the parameters (section 2.3).
    package let signatureParameters: String

    /// A value with a line break could pass for further components.
    package init(
        covering components: [Component],
        parameters: String
    ) throws(SignatureFailure) {
        var list = ""
        var bytes: [UInt8] = []
        for component in components {
            guard component.value.isPrintableLine else { throw .malformed(component.name) }
            let identifier = component.identifier
            list += list.isEmpty ? identifier : " " + identifier
            bytes += identifier.utf8
            bytes += ": ".utf8
            bytes += component.value.utf8
            bytes += "\n".utf8
        }
        signatureParameters = "(" + list + ")" + parameters
        bytes += "\"@signature-params\": ".utf8
        bytes += signatureParameters.utf8
        self.bytes = bytes
    }
}
