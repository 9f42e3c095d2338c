@testable import HTTPServer

private let limits = {
    var limits = Limits()
    // Small limits, so that the fuzzer reaches them.
    (limits.headBytes, limits.fieldCount, limits.bodyBytes) = (256, 8, 64)
    return limits
}()

/// Requests are the same when they are read at once or byte by byte, and within the limits.
@_cdecl("LLVMFuzzerTestOneInput")
func readHTTPRequests(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let events = requestEvents(of: [input[...]])
    precondition(
        events == requestEvents(of: input.indices.map { input[$0...$0] }),
        "the request differs when it is read byte by byte"
    )
    for case .request(let request) in events {
        precondition(request.body.count <= limits.bodyBytes, "a body over the limit")
        precondition(request.fields.count <= limits.fieldCount, "more fields than there may be")
        precondition(request.fields.filter { $0.isCalled("host") }.count == 1, "not one host")
    }
    return 0
}

private func requestEvents(of pieces: [ArraySlice<UInt8>]) -> [RequestParser.Event] {
    var parser = RequestParser(limits: limits)
    var events: [RequestParser.Event] = []
    for piece in pieces {
        parser.append(piece)
        while true {
            let event = parser.next()
            if event == .needsMore { break }
            events.append(event)
        }
    }
    return events
}
