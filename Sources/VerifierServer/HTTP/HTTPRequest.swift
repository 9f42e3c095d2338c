package import TransactionApproval

/// A whole request, as it came in.
package struct HTTPRequest: Equatable, Sendable {
    package let method: String
    /// Path and query as they went over the network, nothing normalised.
    package let target: String
    /// In their order, each as often as it came.
    package let fields: [HTTPField]
    package let body: [UInt8]

    package init(method: String, target: String, fields: [HTTPField], body: [UInt8]) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }
}
