/// The maximum sizes and numbers that a server accepts.
package struct Limits: Sendable {
    /// The request line and all header fields, including line ends.
    package var headBytes = 8192
    package var fieldCount = 64
    package var bodyBytes = 65_536
    /// A new connection above this limit is closed immediately; existing ones stay.
    ///
    /// An address above its own limit affects only itself. If only a quarter is free, idle
    /// connections get only the timeout of a head. So an attacker has to reopen them all the time.
    package var connections = 10_000
    /// Per IPv4 address or IPv6 /64; a proxy needs as many as there are.
    package var connectionsPerAddress = 1000

    package init() {}
}

/// Timeouts for a whole step each, however slowly its bytes arrive.
package struct Deadlines: Sendable {
    /// From the connection to its first request head, including the handshake; for later heads from
    /// their first byte.
    package var head = Duration.seconds(10)
    package var body = Duration.seconds(20)
    /// Between a response and the next request.
    ///
    /// Longer than that of a proxy, which repeats no POST on a connection that was just closed.
    package var idle = Duration.seconds(90)
    /// For each 64 KiB of a response.
    package var write = Duration.seconds(30)
    /// From the beginning of a stop to the first byte of a request, including the handshake.
    ///
    /// Its check can be half a second late.
    package var stop = Duration.seconds(1)

    package init() {}
}
