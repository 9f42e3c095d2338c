import Foundation
import HTTPServer

/// A request as it is sent, valid or not.
struct RawRequest {
    var method: String
    var target: String
    var version = "HTTP/1.1"
    private var fields: [Field]
    var body: String

    init(_ request: Request, _ edge: EdgeCase) {
        method = request.method
        target = request.target
        fields = [Field("Host", "a")] + request.fields
        body = String(decoding: request.body, as: UTF8.self)
        add("Content-Length", String(body.utf8.count))
        edge.change(&self)
    }

    mutating func add(_ name: String, _ value: String) { fields.append(Field(name, value)) }

    mutating func remove(_ name: String) {
        fields.removeAll { $0.name.lowercased() == name.lowercased() }
    }

    mutating func setBody(_ body: String) {
        self.body = body
        remove("Content-Length")
        add("Content-Length", String(body.utf8.count))
    }

    var text: String {
        let lines = fields.map { "\($0.name): \($0.value)\r\n" }
        return "\(method) \(target) \(version)\r\n\(lines.joined())\r\n\(body)"
    }
}

/// All responses of one connection.
struct RawExchange {
    struct Response {
        let status: Int
        /// In lower case, with all line ends.
        let head: String
        let body: String

        /// The code of a problem.
        var code: String? {
            body.firstMatch(of: /"type":"urn:countersign:(\w+)"/).map { String($0.1) }
        }
    }

    /// Sent after each request; without a refusal, it ends the connection.
    static let next = "GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    /// Whether the server read the next request.
    let isOpen: Bool
    /// To the request, with interim responses.
    let responses: [Response]

    init(_ text: String) {
        var (all, rest) = ([Response](), text[...])
        while let end = rest.range(of: "\r\n\r\n") {
            let head = rest[..<end.upperBound].lowercased()
            let length = head.firstMatch(of: /\r\ncontent-length: (\d+)/).flatMap { Int($0.1) }
            let body = rest[end.upperBound...].utf8.prefix(length ?? 0)
            rest = rest[body.endIndex...]
            let status = head.dropFirst("http/1.1 ".count).prefix(3)
            all.append(
                Response(status: Int(status) ?? 0, head: head, body: String(Substring(body)))
            )
        }
        isOpen = all.last?.status == 404
        responses = isOpen ? all.dropLast() : all
    }

    /// In the form of the table.
    var summary: String {
        responses.map { response in
            let status = "\(response.status)" + (response.code.map { " `\($0)`" } ?? "")
            return response.head.contains("\r\nsignature:") ? "\(status), signed" : status
        }
        .joined(separator: ", then ")
    }
}
