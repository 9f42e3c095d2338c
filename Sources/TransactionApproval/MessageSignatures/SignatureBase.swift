/// The text that is signed: a line for each covered component, then one for the signature's own
/// parameters (RFC 9421, section 2.5).
package struct SignatureBase: Sendable {
    /// Something of the message that the signature covers, under the name that RFC 9421 has for it.
    package struct Component: Equatable, Sendable {
        let name: String
        let value: String
        /// Whether it is the answered request's (section 2.4).
        let isOfRequest: Bool

        package init(_ name: String, _ value: String, ofRequest isOfRequest: Bool = false) {
            self.name = name
            self.value = value
            self.isOfRequest = isOfRequest
        }

        fileprivate var identifier: String { "\"\(name)\"" + (isOfRequest ? ";req" : "") }
    }

    package let text: String
    /// The list of components with the parameters behind it (section 2.3).
    package let signatureParameters: String

    /// Refuses a value that is no single line: it could pass for further components.
    package init(
        covering components: [Component],
        parameters: String
    ) throws(SignatureFailure) {
        for component in components where !component.value.isPrintableLine {
            throw .malformed(component.name)
        }
        let list = components.map(\.identifier).joined(separator: " ")
        signatureParameters = "(\(list))\(parameters)"
        let lines = components.map { "\($0.identifier): \($0.value)\n" }.joined()
        text = "\(lines)\"@signature-params\": \(signatureParameters)"
    }
}
