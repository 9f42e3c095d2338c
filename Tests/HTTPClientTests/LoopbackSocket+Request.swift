import HTTPClient
import TestSupport

extension LoopbackSocket {
    var request: HTTPRequest { HTTPRequest(.get, "https://127.0.0.1:\(port)/") }
}
