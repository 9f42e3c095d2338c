/// How much is taken from clients.
package struct Limits: Sendable {
    /// Of the request line and all header fields, their line ends included.
    package var headBytes = 8192
    package var fieldCount = 64
    package var bodyBytes = 65_536
    /// A new connection beyond these is closed at once, and an old one stays.
    ///
    /// Whoever is over his own share pays for it himself. Where a quarter of all is left, idle
    /// connections get only as long as a head does, so that holding them all takes opening them all
    /// again and again.
    package var connections = 10_000
    /// From one address, or from one /64 of IPv6: a proxy needs as many as there are.
    package var connectionsPerAddress = 1000

    package init() {}
}

/// How long clients may take: for the whole of each step, however often they send a little of it.
package struct Deadlines: Sendable {
    /// From a connection to its first request's head, handshake included, and for each later head
    /// from its first byte.
    package var head = Duration.seconds(10)
    package var body = Duration.seconds(20)
    /// Between an answer and the next request.
    package var idle = Duration.seconds(60)
    /// For taking each 64 KiB of an answer, or what is left of it.
    package var write = Duration.seconds(30)

    package init() {}
}
