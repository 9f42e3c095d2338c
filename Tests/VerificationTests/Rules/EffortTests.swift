import OneTimePassword
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Verification

/// The rules alone, over a state with a known seed and the counter 100.
@Suite(.serialized) struct `The computing effort for a code` {
    private let state: CredentialState
    private let context: CredentialContext
    private let conditions: CheckConditions
    private let phone: Phone

    init() async throws {
        let bank = try await Bank()
        phone = try await bank.activate()
        try await phone.checkPIN(at: Counter(99), in: bank)
        state = try await bank.credential(of: phone)
        context = state.context
        conditions = CheckConditions(
            now: bank.clock.now,
            epoch: Epoch(0),
            lockPolicy: .default
        )
    }

    private func typedCodes() throws -> TypedCodes {
        try TypedCodes(of: context, seed: try phone.seed(.user))
    }

    @Test(arguments: [nil, Array("limit 5000".utf8)])
    func `SEC-14: every typed code costs the window ahead and the same window behind`(
        _ data: [UInt8]?
    ) throws {
        let codes = try typedCodes()
        let check = TypedCodeCheck.installation(try typedCodes())
        for counter in [100, 105, 110, 99, 90, 89, 50, 111, 5000] as [UInt64] {
            let text =
                if let data {
                    try codes.code(over: data, in: Epoch(0), at: Counter(counter)).text
                } else {
                    codes.hotp.code(at: Counter(counter)).text
                }
            var (state, events) = (state, [Event]())
            var result = RuleResult<Refusal>.accepted
            let count = try macCount {
                result = try state.check(
                    TypedCode(submitted: text, over: data),
                    lookAhead: .default,
                    with: check,
                    in: conditions,
                    events: &events
                )
            }
            #expect(count == 22, "counter \(counter)")
            #expect(result.isAccepted == (100...110).contains(counter))
        }
    }

    @Test func `SEC-14: every pair of typed codes costs the same`() throws {
        let codes = try typedCodes()
        let check = TypedCodeCheck.installation(try typedCodes())
        for counter in [100, 150, 200, 201, 98, 5000] as [UInt64] {
            let pair = [counter, counter + 1].map {
                TypedCode(submitted: codes.hotp.code(at: Counter($0)).text)
            }
            var (state, events) = (state, [Event]())
            let count = try macCount {
                _ = try state.resynchronise(
                    pair[0],
                    then: pair[1],
                    within: .default,
                    with: check,
                    in: conditions,
                    events: &events
                )
            }
            #expect(count == 102, "counter \(counter)")
        }
    }

    @Test(arguments: Phone.PIN.allCases)
    func `SEC-14: an in-band code costs one MAC, and none if it is not computed`(
        _ pin: Phone.PIN
    ) throws {
        let codes = try InBandCodes(of: context, seed: try phone.seed(.user))
        let sent = try InBandCodes(of: context, seed: try phone.seed(.user, pin))
        let reach = Credential.reach
        let rows = [(100, 1), (101, 1), (100 + reach, 1), (101 + reach, 0), (99, 0)]
        for (counter, macs) in rows as [(UInt64, Int)] {
            let code = CodeEnvelope(
                attempt: try .random(),
                generation: .first,
                epoch: Epoch(0),
                counter: Counter(counter),
                code: try #require(
                    InBandCode(sent.code(for: .pinCheck, in: Epoch(0), at: Counter(counter)))
                ),
                blind: try .random()
            )
            var (state, events) = (state, [Event]())
            let count = try macCount {
                _ = try state.checkPIN(code, with: codes, in: conditions, events: &events)
            }
            #expect(count == macs, "counter \(counter)")
        }
    }
}
