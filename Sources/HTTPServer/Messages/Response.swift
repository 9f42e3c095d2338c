/// A response; the server adds the date, the length and the connection options.
package struct Response: Sendable {
    package let status: Int
    package let fields: [Field]
    package let body: Body

    package enum Body: Sendable {
        case bytes([UInt8])
        /// Written by the closure while it runs: events, or content too large for memory.
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
    /// Sends the pieces of a body.
    package struct Writer: Sendable {
        private let send: @Sendable ([UInt8]) async throws(Cut) -> Void

        package init(_ send: @escaping @Sendable ([UInt8]) async throws(Cut) -> Void) {
            self.send = send
        }

        /// Sends a piece, and returns when there is room for the next one.
        package func write(_ bytes: [UInt8]) async throws(Cut) {
            try await send(bytes)
        }
    }

    /// The body is incomplete, and the client can detect it.
    ///
    /// The writer throws it if the client has left; a stream may throw it if it cannot continue.
    package struct Cut: Error, Equatable {
        package init() {}
    }
}
