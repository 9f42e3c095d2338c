import HTTPServer

/// Returns a port that was just free, for programs that cannot choose a port themselves.
func freePort() throws -> Int {
    try Server([Listener("127.0.0.1", port: 0)]) { _ in Response(status: 404) }.ports[0]
}
