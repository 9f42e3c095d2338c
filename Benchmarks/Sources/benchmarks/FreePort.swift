import HTTPServer

/// One that was free a moment ago, for programs that cannot choose one themselves.
func freePort() throws -> Int {
    try Server([Listener("127.0.0.1", port: 0)]) { _ in Response(status: 404) }.ports[0]
}
