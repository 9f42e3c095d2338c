import Cryptography
import Glibc
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite struct `The verdict about an authentication value` {
    private static let made = Timestamp.earliest + .seconds(1_000_000)

    /// A call with the right value, and the row of its value; `change` makes it wrong.
    private struct Situation {
        var value: AuthenticationValue
        var card: Digest?
        var isBlocked: Bool
        var amount: Amount
        var row: IssuedAuthenticationValue?
        var now = made + .seconds(60)

        init() throws {
            let purchase = try AuthenticatedPurchase.sample()
            value = try .sample()
            card = purchase.card
            isBlocked = false
            amount = try SampleWorld.euro(4711)
            row = IssuedAuthenticationValue(
                of: purchase,
                by: .sample,
                made: made,
                isUsed: false
            )
        }

        mutating func use() {
            row = row.map { .init(of: $0.purchase, by: $0.basis, made: $0.made, isUsed: true) }
        }

        func verdict(
            under key: borrowing AuthenticationValue.Key
        ) throws -> AuthenticationValueVerdict {
            try AuthenticationValueVerdict(
                about: AuthorisedPurchase(
                    value: value,
                    card: card,
                    isBlocked: isBlocked,
                    amount: amount
                ),
                row,
                under: key,
                at: now
            )
        }

        func verdict() throws -> AuthenticationValueVerdict {
            try verdict(under: SampleWorld.key())
        }
    }

    private static let stranger = Digest(copying: [UInt8](repeating: 7, count: 32).span)

    /// In the order in which they decide.
    private static let changes:
        [(AuthenticationValueVerdict, @Sendable (inout Situation) throws -> Void)] = [
            (.unknown, { $0.value = try #require(AuthenticationValue(otherText)) }),
            (.wrongCard, { $0.card = stranger }),
            (.expired, { $0.now = made + .seconds(90 * 86_400) }),
            (.alreadyUsed, { $0.use() }),
            (.blockedCard, { $0.isBlocked = true }),
            (.amountExceeded, { $0.amount = try SampleWorld.euro(4712) }),
            (.valid, { _ in }),
        ]

    private static let otherText = String(repeating: "A", count: 27) + "="

    @Test func `is the first that applies`() throws {
        #expect(Set(Self.changes.map(\.0)) == Set(AuthenticationValueVerdict.allCases))
        for (index, (verdict, change)) in Self.changes.enumerated() {
            var situation = try Situation()
            try change(&situation)
            #expect(try situation.verdict() == verdict)
            for (_, later) in Self.changes[(index + 1)...] {
                var both = situation
                try later(&both)
                #expect(try both.verdict() == verdict)
            }
        }
    }

    @Test func `is unknown without a row, for every card and amount`() throws {
        var situation = try Situation()
        situation.row = nil
        #expect(try situation.verdict() == .unknown)
        situation.card = nil
        #expect(try situation.verdict() == .unknown)
        situation.amount = try SampleWorld.euro(0)
        #expect(try situation.verdict() == .unknown)
    }

    /// One byte of 20 is enough.
    @Test(arguments: 0..<20)
    func `is unknown for a value that is changed anywhere`(index: Int) throws {
        var situation = try Situation()
        var bytes = try TextEncoding.base64.decode(situation.value.text)
        bytes[index] ^= 1
        situation.value = try #require(AuthenticationValue(TextEncoding.base64.encode(bytes.span)))
        #expect(try situation.verdict() == .unknown)
    }

    @Test func `is a wrong card if the host's card is not known`() throws {
        var situation = try Situation()
        situation.card = nil
        #expect(try situation.verdict() == .wrongCard)
    }

    @Test func `covers up to the amount, in its currency`() throws {
        var situation = try Situation()
        for (amount, verdict) in [
            (UInt64(0), AuthenticationValueVerdict.valid), (4710, .valid), (4711, .valid),
            (4712, .amountExceeded), (Amount.maximumMinorUnits, .amountExceeded),
        ] {
            situation.amount = try SampleWorld.euro(amount)
            #expect(try situation.verdict() == verdict)
        }
        let dollar = try #require(Currency("USD"))
        for amount in [UInt64(0), 1, 4711] {
            situation.amount = try #require(Amount(minorUnits: amount, currency: dollar))
            #expect(try situation.verdict() == .amountExceeded)
        }
    }

    @Test func `covers only a check without an amount after a confirmation`() throws {
        var situation = try Situation()
        var purchase = try AuthenticatedPurchase.sample()
        purchase.amount = nil
        situation.row = IssuedAuthenticationValue(
            of: purchase,
            by: .sample,
            made: Self.made,
            isUsed: false
        )
        situation.value = try AuthenticationValue(
            of: purchase,
            by: .sample,
            under: SampleWorld.key()
        )
        situation.amount = try SampleWorld.euro(0)
        #expect(try situation.verdict() == .valid)
        situation.amount = try SampleWorld.euro(1)
        #expect(try situation.verdict() == .amountExceeded)
    }

    @Test func `expires after 90 days`() throws {
        var situation = try Situation()
        let day = Duration.seconds(86_400)
        situation.now = Self.made + day * 90 - .milliseconds(1)
        #expect(try situation.verdict() == .valid)
        situation.now = Self.made + day * 90
        #expect(try situation.verdict() == .expired)
        // A clock that went back expires nothing.
        situation.now = Self.made - day
        #expect(try situation.verdict() == .valid)
    }

    /// Times of the processor in this thread; the shortest of several is compared.
    @Test func `takes the same work for each verdict`() throws {
        var situations: [Situation] = []
        for (_, change) in Self.changes {
            var situation = try Situation()
            try change(&situation)
            situations.append(situation)
        }
        var withoutRow = try Situation()
        withoutRow.row = nil
        situations.append(withoutRow)
        let key = try SampleWorld.key()
        var times = [Duration](repeating: .seconds(60), count: situations.count)
        for _ in 0..<20 {
            for (index, situation) in situations.enumerated() {
                let start = Self.processorTime
                for _ in 0..<20 { _ = try situation.verdict(under: key) }
                times[index] = min(times[index], Self.processorTime - start)
            }
        }
        let (shortest, longest) = (times.min() ?? .zero, times.max() ?? .zero)
        #expect(longest < shortest * 2, "\(times)")
    }

    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test func `is unknown under another key`() throws {
        let situation = try Situation()
        let bytes = try SecureBytes(copying: Array(1..<33).span)
        let key = try AuthenticationValue.Key(number: 1, bytes)
        #expect(try situation.verdict(under: key) == .unknown)
    }
}
