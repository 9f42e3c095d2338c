/// A response as it is sent.
struct ResponseMessage {
    private let response: Response
    private let isForHEAD: Bool
    private let closesConnection: Bool

    /// The response must be sendable.
    init(_ response: Response, to method: String, closingConnection: Bool) {
        self.response = response
        isForHEAD = method == "HEAD"
        closesConnection = closingConnection
    }

    /// The stream that follows in chunks.
    var stream: Response.Stream? {
        if hasBody, case .stream(let stream) = response.body { stream } else { nil }
    }

    /// The body unless it is a stream.
    var body: [UInt8] {
        if hasBody, case .bytes(let body) = response.body { body } else { [] }
    }

    func head(date: HTTPDate) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        // Without a reason phrase, which clients ignore (RFC 9112, section 4).
        bytes += "HTTP/1.1 \(response.status) \r\n".utf8
        bytes.append("date", date.text)
        for field in response.fields { bytes.append(field.name, field.value) }
        if mayHaveBody {
            switch response.body {
            case .bytes(let body): bytes.append("content-length", String(body.count))
            case .stream: bytes.append("transfer-encoding", "chunked")
            }
        }
        if closesConnection { bytes.append("connection", "close") }
        bytes += "\r\n".utf8
        return bytes
    }

    private var hasBody: Bool { mayHaveBody && !isForHEAD }

    /// RFC 9110, sections 15.3.5 and 15.4.5.
    private var mayHaveBody: Bool { response.status != 204 && response.status != 304 }
}

extension Response {
    /// Returns whether it is valid HTTP: for example, a line end in a value would inject a second
    /// response.
    var isSendable: Bool {
        (200...599).contains(status) && fields.allSatisfy(\.isSendable)
    }
}

extension Field {
    /// Fields that the server sets itself.
    private static let serverNames = ["connection", "content-length", "date", "transfer-encoding"]

    fileprivate var isSendable: Bool {
        !name.isEmpty && name.utf8.allSatisfy(ByteSet.token.contains)
            && value.utf8.allSatisfy(ByteSet.isInValue)
            && !Self.serverNames.contains(where: isCalled)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ name: String, _ value: String) {
        self += name.utf8
        self += ": ".utf8
        self += value.utf8
        self += "\r\n".utf8
    }

    /// RFC 9112, section 7.1.
    mutating func appendChunk(_ piece: [UInt8]) {
        self += String(piece.count, radix: 16).utf8
        self += "\r\n".utf8
        self += piece
        self += "\r\n".utf8
    }
}
