@testable import Cryptography
@testable import TransactionApproval

/// Reads one kind of message and writes it again; nil is a refusal.
private typealias Reading = @Sendable ([UInt8]) -> [UInt8]?

private func reading<Message: DeviceMessage>(_ type: Message.Type) -> Reading {
    { bytes in
        // Most inputs are correctly rejected, so `try?` loses nothing.
        guard let message = try? Message(reading: bytes) else { return nil }
        let written = try? message.written
        precondition(written != nil, "read, but not to be written")
        precondition(written.flatMap { try? Message(reading: $0) } == message, "read otherwise")
        return written
    }
}

private func readings<Exchange: DeviceExchange>(_ exchange: Exchange.Type) -> [Reading] {
    [reading(Exchange.Request.self), reading(Exchange.Response.self)]
}

private func rewrittenURI(_ bytes: [UInt8]) -> [UInt8]? {
    guard let uri = try? ActivationURI.read(bytes.span) else { return nil }
    let text = (try? uri.text())?.withBytes { $0.array }
    precondition(text == bytes, "another spelling")
    return text
}

private let readings: [Reading] =
    DeviceRoute.allCases.flatMap { readings($0.exchange) } + [reading(Problem.self), rewrittenURI]

/// The first byte selects the message; an accepted message is written and read again unchanged.
@_cdecl("LLVMFuzzerTestOneInput")
func readMessage(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let first = input.first else { return 0 }
    let read = readings[Int(first) % readings.count]
    guard let written = read(Array(input.dropFirst())) else { return 0 }
    precondition(read(written) == written, "two texts for one message")
    return 0
}
