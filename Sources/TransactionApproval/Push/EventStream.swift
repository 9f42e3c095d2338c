/// Notifications for connected devices: server-sent events (HTML Standard, section 9.2) with push
/// payloads and hints.
package enum EventStream {
    package static let contentType = "text/event-stream"

    /// The maximum interval between two messages, so that a dead connection is detected.
    package static let heartbeat = Duration.seconds(30)

    /// Keeps the connection alive.
    package static let comment = Array(":\n\n".utf8)

    package static func event(_ payload: PushPayload) -> [UInt8] { event(payload.written) }

    package static func event(_ hint: AccountChangeHint) -> [UInt8] { event(hint.written) }

    private static func event(_ data: [UInt8]) -> [UInt8] {
        Array("data: ".utf8) + data + Array("\n\n".utf8)
    }
}

extension EventStream {
    /// Parses a stream in pieces of any size, and returns the data of its events.
    package struct Reader: Sendable {
        package struct TooLong: Error {}

        /// The maximum size of an event with its ignored fields.
        private static let maximumByteCount = 8 << 10

        private var line: [UInt8] = []
        private var lines: [[UInt8]] = []
        private var byteCount = 0
        private var followsReturn = false

        package init() {}

        package mutating func take(_ piece: [UInt8]) throws(TooLong) -> [[UInt8]] {
            var events: [[UInt8]] = []
            for byte in piece {
                // A line feed after a carriage return belongs to the same line end.
                let isSecondEnd = followsReturn && byte == UInt8(ascii: "\n")
                followsReturn = byte == UInt8(ascii: "\r")
                if isSecondEnd { continue }
                guard byte == UInt8(ascii: "\n") || followsReturn else {
                    line.append(byte)
                    byteCount += 1
                    guard byteCount <= Self.maximumByteCount else { throw TooLong() }
                    continue
                }
                if let event = endLine() { events.append(event) }
            }
            return events
        }

        /// The data of the event that an empty line ends.
        private mutating func endLine() -> [UInt8]? {
            defer { line = [] }
            guard line.isEmpty else {
                if let data = Self.data(in: line) { lines.append(data) }
                return nil
            }
            defer {
                lines = []
                byteCount = 0
            }
            return lines.isEmpty ? nil : Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        }

        /// Nil for a comment or another field.
        private static func data(in line: [UInt8]) -> [UInt8]? {
            let name = Array("data:".utf8)
            guard line.starts(with: name) else { return nil }
            let value = line.dropFirst(name.count)
            return Array(value.first == UInt8(ascii: " ") ? value.dropFirst() : value)
        }
    }
}
