/// An answer, but for what the server adds to each: date, length, connection.
package struct Response: Sendable {
    package let status: Int
    package let fields: [Field]
    package let body: Body

    package enum Body: Sendable {
        case bytes([UInt8])
        /// What the closure writes, for as long as it runs: events, or more than memory should hold.
        case stream(Stream)
    }

    package typealias Stream = @Sendable (Writer) async throws(Cut) -> Void

    package init(status: Int, fields: [Field] = [], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

extension Response {
    /// Sends the pieces of a body as they come.
    package struct Writer: Sendable {
        private let send: @Sendable ([UInt8]) async throws(Cut) -> Void

        package init(_ send: @escaping @Sendable ([UInt8]) async throws(Cut) -> Void) {
            self.send = send
        }

        /// Sends a piece at once, and returns when there is room for the next.
        package func write(_ bytes: [UInt8]) async throws(Cut) {
            try await send(bytes)
        }
    }

    /// The body ends before its end, and the client is shown that it does.
    ///
    /// The writer throws it when the client has left, and a stream that cannot go on may as well.
    package struct Cut: Error, Equatable {
        package init() {}
    }
}
