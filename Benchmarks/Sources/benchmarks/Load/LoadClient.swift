import CReference
import Glibc

/// Makes the requests of an exchange that follow its first one.
protocol Dialogue: Sendable {
    /// The number of requests in an exchange.
    var stepCount: Int { get }

    /// The request of a step after the first, for the body of the response to the step before.
    func request(_ step: Int, of exchange: Int, after body: [UInt8]) throws -> [UInt8]
}

/// The client thread of a load.
///
/// `@unchecked`: its creator reads it only after the thread's work.
final class LoadClient: @unchecked Sendable {
    private let dialogue: (any Dialogue)?
    private let certificate: Certificate?
    /// Each response must contain it.
    private let text: String?
    /// The last request of each connection, which C reads.
    private var sent: [UnsafeMutableBufferPointer<UInt8>?]
    private(set) var failure: (any Error)?

    init(
        _ dialogue: (any Dialogue)?,
        connectionCount: Int,
        showing certificate: Certificate?,
        expecting text: String?
    ) {
        (self.dialogue, self.certificate, self.text) = (dialogue, certificate, text)
        sent = Array(repeating: nil, count: connectionCount)
    }

    deinit {
        for bytes in sent { bytes?.deallocate() }
    }

    var stepCount: Int { dialogue?.stepCount ?? 1 }

    func send(
        _ requests: [[UInt8]],
        to ports: [Int],
        _ rate: Double
    ) -> (elapsed: Double, seconds: [Double]) {
        var seconds = [Double](repeating: 0, count: requests.count * stepCount)
        let ports = ports.map { CInt($0) }
        let texts = [certificate?.file, text].map { $0.flatMap { strdup($0) } }
        defer { for text in texts { free(text) } }
        let elapsed = requests.withReferences { references in
            seconds.withUnsafeMutableBufferPointer { seconds in
                ports.withUnsafeBufferPointer { ports in
                    var load = reference_load(
                        certificate: texts[0],
                        expected: texts[1],
                        ports: ports.baseAddress,
                        port_count: ports.count,
                        connections: sent.count,
                        requests: references.baseAddress,
                        count: references.count,
                        steps: stepCount,
                        next: nextRequest,
                        context: Unmanaged.passUnretained(self).toOpaque(),
                        rate: rate,
                        seconds: seconds.baseAddress
                    )
                    return reference_load(&load)
                }
            }
        }
        return (elapsed, seconds)
    }

    /// Nothing if the response was wrong.
    func next(
        on connection: Int,
        _ exchange: Int,
        _ step: Int,
        after body: [UInt8]
    ) -> reference_request {
        do {
            guard let dialogue else { throw BenchmarkFailure("an exchange has one request") }
            let request = try dialogue.request(step, of: exchange, after: body)
            sent[connection]?.deallocate()
            let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: request.count)
            _ = bytes.initialize(from: request)
            sent[connection] = bytes
            return reference_request(bytes: bytes.baseAddress, count: bytes.count)
        } catch {
            failure = error
            return reference_request(bytes: nil, count: 0)
        }
    }
}

private func nextRequest(
    _ context: UnsafeMutableRawPointer?,
    _ connection: Int,
    _ exchange: Int,
    _ step: Int,
    _ body: UnsafePointer<CChar>?,
    _ count: Int
) -> reference_request {
    guard let context, let body else { return reference_request(bytes: nil, count: 0) }
    return Unmanaged<LoadClient>.fromOpaque(context).takeUnretainedValue().next(
        on: connection,
        exchange,
        step,
        after: Array(UnsafeRawBufferPointer(start: body, count: count))
    )
}
