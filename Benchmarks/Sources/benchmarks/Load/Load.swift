import CReference
import Dispatch

/// The result of requests over persistent connections, which one client thread sends.
struct Load {
    static let connectionCount = 64

    /// The whole time divided by the number of requests, in microseconds.
    let timePerRequest: Double
    /// The latency of each request from the time when it was due, in microseconds, sorted.
    private let latencies: [Double]

    /// Sends the requests and measures the latency of each.
    ///
    /// Without a rate, each connection sends the next request when it has received its response.
    /// With a rate, requests are due at fixed times, so the delay of a slow server counts for each.
    init(of requests: [[UInt8]], to port: Int, perSecond rate: Double? = nil) async throws {
        // The call blocks, so it needs a thread that does not serve requests.
        let (elapsed, seconds) = await withCheckedContinuation { continuation in
            DispatchQueue(label: "load").async {
                continuation.resume(returning: Self.send(requests, to: port, rate ?? 0))
            }
        }
        guard elapsed > 0 else { throw BenchmarkFailure("a response does not have the status 200") }
        timePerRequest = elapsed * 1e6 / Double(requests.count)
        latencies = seconds.sorted().map { $0 * 1e6 }
    }

    /// The latency that this fraction of all requests does not exceed.
    func latency(quantile: Double) -> Double {
        latencies[Int(quantile * Double(latencies.count - 1))]
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
    /// Copies the requests into one block of memory, with a pointer to each for C.
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
