package import TransactionApproval

/// A whole answer, but for what every server adds to one: date, length, connection.
package struct HTTPResponse: Equatable, Sendable {
    package let status: Int
    package let fields: [HTTPField]
    package let body: [UInt8]

    package init(status: Int, fields: [HTTPField], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
