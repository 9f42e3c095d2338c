package import HTTPServer
import PrivateFiles
import StrictJSON

/// Counts refused connections, and logs at most one of each kind in a minute.
///
/// A stranger can open any number of connections, and must not fill the log.
package final class ConnectionRefusals: Sendable {
    /// An endpoint, and why it refused.
    private typealias Labels = [String]

    private struct Count {
        var all: UInt64 = 0
        var logged: UInt64 = 0
        var lastLine: ContinuousClock.Instant?

        /// Returns the number since the last line, if another line is due.
        mutating func increment(at now: ContinuousClock.Instant) -> UInt64? {
            all += 1
            if let lastLine, now - lastLine < ConnectionRefusals.interval { return nil }
            defer { (lastLine, logged) = (now, all) }
            return all - logged
        }
    }

    private static let interval = Duration.seconds(60)

    private let counts: LockedValue<[Labels: Count]>

    /// The counters of these endpoints begin with 0, so that a rise shows the first refusal.
    package init(at endpoints: [String]) {
        let reasons: [ConnectionRefusal.Reason] = [.connections, .connectionsPerAddress]
        let labels = endpoints.flatMap { endpoint in reasons.map { [endpoint, $0.word] } }
        counts = LockedValue(Dictionary(uniqueKeysWithValues: labels.map { ($0, Count()) }))
    }

    package func note(
        _ refusal: ConnectionRefusal,
        at endpoint: String,
        in log: Log,
        now: ContinuousClock.Instant = .now
    ) {
        let count = counts.withLock {
            $0[[endpoint, refusal.reason.word], default: Count()].increment(at: now)
        }
        if let count { log.write(refusal, at: endpoint, count: count) }
    }

    /// `program`: the beginning of the names.
    package func add(to text: inout MetricsText, of program: String) {
        let counts = counts.withLock { $0.mapValues(\.all) }
        let ofCertificates = counts.filter {
            $0.key.last == ConnectionRefusal.Reason.certificateWord
        }
        text.add(
            program + "_client_certificates_refused_total",
            "TLS handshakes that ended because of the client's certificate.",
            by: [],
            [[]: ofCertificates.values.reduce(0, +)]
        )
        text.add(
            program + "_connections_refused_total",
            "Connections closed at once because of a limit.",
            by: ["endpoint", "limit"],
            counts.filter { ofCertificates[$0.key] == nil }
        )
    }
}

extension ConnectionRefusal.Reason {
    fileprivate static let certificateWord = "certificate"

    /// For limits, the member of the configuration.
    fileprivate var word: String {
        switch self {
        case .certificate: Self.certificateWord
        case .connections: "connections"
        case .connectionsPerAddress: "connectionsPerAddress"
        }
    }
}

extension Log {
    /// The client of a full endpoint is not named: it did nothing wrong.
    fileprivate func write(_ refusal: ConnectionRefusal, at endpoint: String, count: UInt64) {
        let (message, key, value) =
            if case .certificate(let reason) = refusal.reason {
                ("client certificate refused", "reason", reason)
            } else {
                ("connection refused", "limit", refusal.reason.word)
            }
        let client = refusal.reason == .connections ? nil : JSONValue.string(refusal.address)
        write(
            .info,
            message,
            [
                "endpoint": .string(endpoint), key: .string(value), "client": client,
                "count": .number(JSONNumber(count)),
            ]
        )
    }
}
