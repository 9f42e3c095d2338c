/// Parses requests strictly by RFC 9112.
///
/// The events do not depend on how the input is split. The parser does not read past a request
/// until `next` is called again.
struct RequestParser {
    enum Event: Equatable {
        case needsMore
        /// The client waits for `100 Continue` before it sends the body.
        case continueExpected
        case request(ParsedRequest)
        /// No request follows it.
        case refused(RequestRefusal)
    }

    /// The part of a request that is expected; each has a deadline of its own.
    enum Part {
        case nothing, head, body
    }

    private enum Stage: Equatable {
        case requestLine, fields
        case body(byteCount: Int)
        case chunkSize
        case chunk(byteCount: Int)
        case chunkEnd, trailer
        case refused
    }

    private let limits: Limits
    /// Input from `position` on is unread; up to `scanned` it has no line end.
    private var bytes: [UInt8] = []
    private var position = 0
    private var scanned = 0

    private var stage = Stage.requestLine
    private var headSize = 0
    private var line: RequestLine?
    private var fields: [Field] = []
    private var closesConnection = false
    private var body: [UInt8] = []

    init(limits: Limits) {
        self.limits = limits
    }

    var awaited: Part {
        switch stage {
        case .requestLine: position < bytes.count ? .head : .nothing
        case .fields: .head
        case .body, .chunkSize, .chunk, .chunkEnd, .trailer: .body
        case .refused: .nothing
        }
    }

    mutating func append(_ new: ArraySlice<UInt8>) {
        bytes.removeFirst(position)
        scanned -= position
        position = 0
        bytes += new
    }

    mutating func next() -> Event {
        do throws(RequestRefusal) {
            while true {
                if let event = try step() { return event }
            }
        } catch {
            self = RequestParser(limits: limits)
            stage = .refused
            return .refused(error)
        }
    }

    /// Nil if parsing can go on.
    private mutating func step() throws(RequestRefusal) -> Event? {
        switch stage {
        case .requestLine:
            guard let range = try nextHeadLine() else { return .needsMore }
            line = try RequestLine(bytes[range])
            stage = .fields
            return nil
        case .fields:
            guard let range = try nextHeadLine() else { return .needsMore }
            guard range.isEmpty else {
                guard fields.count < limits.fieldCount else { throw .headTooLarge }
                fields.append(try Field(bytes[range]))
                return nil
            }
            return try endHead()
        case .body, .chunkSize, .chunk, .chunkEnd, .trailer: return try stepInBody()
        case .refused: return .needsMore
        }
    }

    private mutating func endHead() throws(RequestRefusal) -> Event? {
        let framing = try Framing(fields, limits: limits)
        closesConnection = framing.closesConnection
        stage =
            switch framing.body {
            case .length(let count): .body(byteCount: count)
            case .chunked: .chunkSize
            }
        return framing.expectsContinue ? .continueExpected : nil
    }
}

// MARK: The body

extension RequestParser {
    private mutating func stepInBody() throws(RequestRefusal) -> Event? {
        switch stage {
        case .body(let count):
            guard let range = take(count) else { return .needsMore }
            body = Array(bytes[range])
            return try request()
        case .chunkSize:
            // The largest accepted size has 16 digits.
            guard let range = try nextLine(within: 18, else: .malformed) else { return .needsMore }
            let size = try chunkSize(bytes[range])
            stage = size == 0 ? .trailer : .chunk(byteCount: size)
        case .chunk(let count):
            guard let range = take(count) else { return .needsMore }
            body += bytes[range]
            stage = .chunkEnd
        case .chunkEnd:
            guard try nextLine(within: 2, else: .malformed) != nil else { return .needsMore }
            stage = .chunkSize
        default:
            // Trailers are rejected: nothing reads them, and to drop them would change the message.
            guard try nextLine(within: 2, else: .malformed) != nil else { return .needsMore }
            return try request()
        }
        return nil
    }

    /// Only hexadecimal digits: servers read chunk extensions differently.
    private func chunkSize(_ line: ArraySlice<UInt8>) throws(RequestRefusal) -> Int {
        guard line.count == 1 || line.first != UInt8(ascii: "0") else { throw .malformed }
        let text = String(decoding: line, as: UTF8.self)
        guard text.utf8.allSatisfy(isHexadecimalDigit), !text.isEmpty else { throw .malformed }
        guard let size = Int(text, radix: 16), size <= limits.bodyBytes - body.count else {
            throw .bodyTooLarge
        }
        return size
    }

    private mutating func request() throws(RequestRefusal) -> Event {
        guard let line else { throw .malformed }
        let request = ParsedRequest(
            line: line,
            fields: fields,
            body: body,
            closesConnection: closesConnection
        )
        let rest = Array(bytes[position...])
        self = RequestParser(limits: limits)
        bytes = rest
        return .request(request)
    }
}

// MARK: Pieces of the input

extension RequestParser {
    private mutating func nextHeadLine() throws(RequestRefusal) -> Range<Int>? {
        let tooLarge = stage == .requestLine ? RequestRefusal.targetTooLong : .headTooLarge
        let start = position
        let range = try nextLine(within: limits.headBytes - headSize, else: tooLarge)
        headSize += position - start
        return range
    }

    /// Returns the range of the next line, or nil if it is incomplete.
    ///
    /// Only CRLF ends a line: another server on the way may take LF alone for an end.
    private mutating func nextLine(
        within limit: Int,
        else refusal: RequestRefusal
    ) throws(RequestRefusal) -> Range<Int>? {
        let end = bytes[scanned...].firstIndex(of: UInt8(ascii: "\n"))
        scanned = end ?? bytes.count
        guard (end ?? bytes.count - 1) - position < limit else { throw refusal }
        guard let end else { return nil }
        guard end > position, bytes[end - 1] == UInt8(ascii: "\r") else { throw .malformed }
        let line = position..<end - 1
        position = end + 1
        scanned = position
        return line
    }

    private mutating func take(_ count: Int) -> Range<Int>? {
        guard bytes.count - position >= count else { return nil }
        let range = position..<position + count
        position = range.upperBound
        scanned = position
        return range
    }
}

/// A request, and whether the response ends its connection.
struct ParsedRequest: Equatable {
    let line: RequestLine
    let fields: [Field]
    let body: [UInt8]
    let closesConnection: Bool
}

private func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}
