extension Challenge {
    /// The first byte of this form.
    private static let form: UInt8 = 2

    /// One spelling for each challenge, so a store can compare challenges by their bytes.
    ///
    /// Fixed places: form, flow, state and report, the closing error in two bytes, and whether the
    /// person could decide. Times follow,
    /// as milliseconds in eight bytes: the deadline, the end of the state or zeros, and those of all
    /// requests.
    package var encoded: [UInt8] {
        let error = closingError.flatMap { UInt16($0.rawValue) } ?? 0
        let head =
            [Self.form, flow.rawValue] + state.encoded
            + [UInt8(error >> 8), UInt8(error & 0xff), hasReachedPerson ? 1 : 0]
        let times = [deadline, stateEnd] + requests
        return times.reduce(into: head) { $0.append(time: $1) }
    }

    /// Reads a stored challenge; nil if the bytes are not a possible one.
    package init?(encoded: [UInt8]) {
        let start = 7
        guard encoded.count >= start, (encoded.count - start) % 8 == 0, encoded[0] == Self.form,
            let flow = Flow(rawValue: encoded[1]), let state = State(encoded[2], encoded[3]),
            encoded[6] <= 1
        else { return nil }
        let times = stride(from: start, to: encoded.count, by: 8).map { encoded.time(at: $0) }
        guard (2...(2 + Self.maximumRequests)).contains(times.count),
            times.allSatisfy({ $0 >= .zero })
        else { return nil }
        self.init(flow, at: .zero)
        self.state = state
        deadline = times[0]
        stateEnd = times[1]
        requests = Array(times[2...])
        hasReachedPerson = encoded[6] == 1
        let error = UInt16(encoded[4]) << 8 | UInt16(encoded[5])
        closingError = MessageErrorCode(rawValue: "\(error)")
        guard error == 0 || closingError != nil else { return nil }
    }
}

extension Challenge.State {
    fileprivate var encoded: [UInt8] {
        switch self {
        case .promised: [0, 0]
        case .asked: [1, 0]
        case .unanswered(let isShown): [6, isShown ? 1 : 0]
        case .decided(let report): [2, report.number]
        case .reported(let report): [3, report.number]
        case .ended: [4, 0]
        case .withdrawing(let report): [5, report.number]
        }
    }

    fileprivate init?(_ state: UInt8, _ report: UInt8) {
        switch (state, ResultReport(number: report), report) {
        case (0, _, 0): self = .promised
        case (1, _, 0): self = .asked
        case (2, let report?, _): self = .decided(report)
        case (3, let report?, _): self = .reported(report)
        case (4, _, 0): self = .ended
        case (5, let report?, _): self = .withdrawing(report)
        case (6, _, 0...1): self = .unanswered(isShown: report == 1)
        default: return nil
        }
    }
}

extension ResultReport {
    /// The place in a stored challenge, from 1.
    package var number: UInt8 {
        switch self {
        case .approved: 1
        case .rejected: 2
        case .suspected: 3
        case .locked: 4
        case .noDevice: 5
        case .cancelled: 6
        case .notBegun: 7
        case .expired: 8
        case .timedOutAtSDK: 9
        case .failed: 10
        case .undecided: 11
        case .errorReceived: 12
        case .requestRefused: 13
        case .cardBlocked: 14
        }
    }

    package init?(number: UInt8) {
        guard let report = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = report
    }
}

extension [UInt8] {
    fileprivate mutating func append(time: Duration) {
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        for shift in stride(from: 56, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: milliseconds >> shift))
        }
    }

    fileprivate func time(at offset: Int) -> Duration {
        .milliseconds(self[offset..<offset + 8].reduce(0) { $0 << 8 | Int64($1) })
    }
}
