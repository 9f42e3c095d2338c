import CReference
import Dispatch

/// What came of requests over connections that are kept, from one client's thread beside ours.
struct Load {
    static let connectionCount = 64

    /// What one request took of the whole, in microseconds.
    let timePerRequest: Double
    /// What each took from the moment it was due, in microseconds, the least first.
    private let latencies: [Double]

    /// Each connection sends the next request when it has its answer or, with a rate, whenever one
    /// is due, so that a server that stands still makes those wait who come meanwhile.
    init(of requests: [[UInt8]], to port: Int, perSecond rate: Double? = nil) async throws {
        // It blocks, and none of the threads that serve may.
        let (elapsed, seconds) = await withCheckedContinuation { continuation in
            DispatchQueue(label: "load").async {
                continuation.resume(returning: Self.send(requests, to: port, rate ?? 0))
            }
        }
        guard elapsed > 0 else { throw Refused() }
        timePerRequest = elapsed * 1e6 / Double(requests.count)
        latencies = seconds.sorted().map { $0 * 1e6 }
    }

    /// A request was not answered as it should.
    private struct Refused: Error {}

    /// What so great a part of all took at most.
    func latency(ofPart part: Double) -> Double {
        latencies[Int(part * Double(latencies.count - 1))]
    }

    private static func send(
        _ requests: [[UInt8]],
        to port: Int,
        _ rate: Double
    ) -> (elapsed: Double, seconds: [Double]) {
        var seconds = [Double](repeating: 0, count: requests.count)
        let elapsed = requests.withReferences { references in
            seconds.withUnsafeMutableBufferPointer { seconds in
                var load = reference_load(
                    port: CInt(port),
                    connections: connectionCount,
                    requests: references.baseAddress,
                    count: references.count,
                    rate: rate,
                    seconds: seconds.baseAddress
                )
                return reference_load(&load)
            }
        }
        return (elapsed, seconds)
    }
}

extension [[UInt8]] {
    /// As C takes them: where each lies in one piece of memory.
    func withReferences<Result>(
        _ body: (UnsafeBufferPointer<reference_request>) -> Result
    ) -> Result {
        Array<UInt8>(joined()).withUnsafeBytes { bytes in
            var place = 0
            let references = map { request in
                defer { place += request.count }
                return reference_request(
                    bytes: bytes.baseAddress.map { $0 + place },
                    count: request.count
                )
            }
            return references.withUnsafeBufferPointer(body)
        }
    }
}
