import CReference
import Dispatch

/// The result of exchanges over persistent connections, which one client thread makes.
struct Load {
    static let connectionCount = 64

    /// The whole time divided by the number of exchanges, in microseconds.
    let timePerExchange: Double
    /// The latency of each request from the time when it was due, in microseconds, sorted; one
    /// array for each step of an exchange.
    private let latencies: [[Double]]

    /// Makes an exchange for each request, and measures the latency of each step.
    ///
    /// Without a rate, each connection begins the next exchange when it has received its response.
    /// With a rate, exchanges are due at fixed times, so the delay of a slow server counts for
    /// each.
    init(
        of requests: [[UInt8]],
        continuedBy dialogue: (any Dialogue)? = nil,
        to ports: [Int],
        connections connectionCount: Int = Load.connectionCount,
        perSecond rate: Double? = nil,
        showing certificate: Certificate? = nil,
        expecting text: String? = nil
    ) async throws {
        let client = LoadClient(
            dialogue,
            connectionCount: connectionCount,
            showing: certificate,
            expecting: text
        )
        // The call blocks, so it needs a thread that does not serve requests.
        let (elapsed, seconds) = await withCheckedContinuation { continuation in
            DispatchQueue(label: "load").async {
                continuation.resume(returning: client.send(requests, to: ports, rate ?? 0))
            }
        }
        if let failure = client.failure { throw failure }
        guard elapsed > 0 else { throw BenchmarkFailure("a response is wrong") }
        timePerExchange = elapsed * 1e6 / Double(requests.count)
        let stepCount = client.stepCount
        latencies = (0..<stepCount).map { step in
            stride(from: step, to: seconds.count, by: stepCount).map { seconds[$0] * 1e6 }.sorted()
        }
    }

    /// The latency that this fraction of the requests of a step does not exceed.
    func latency(quantile: Double, step: Int = 0) -> Double {
        latencies[step][Int(quantile * Double(latencies[step].count - 1))]
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
