import Cryptography
import HTTPServer
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

@Suite(.onAnyStore) struct `The event stream of a device` {
    /// The events of a device.
    private struct Stream {
        private let pieces: AsyncStream<[UInt8]>
        private let writing: Task<Void, any Error>

        init(_ response: Response) throws {
            guard case .stream(let stream) = response.body else { throw Bank.Unexpected() }
            let (pieces, sink) = AsyncStream<[UInt8]>.makeStream()
            self.pieces = pieces
            writing = Task {
                defer { sink.finish() }
                try await stream(Response.Writer { sink.yield($0) })
            }
        }

        func next(_ count: Int = 1) async throws -> [PushPayload] {
            var reader = EventStream.Reader()
            var events: [PushPayload] = []
            for await piece in pieces {
                events += try reader.take(piece).map { try PushPayload(reading: $0) }
                if events.count == count { break }
            }
            return events
        }

        /// The data of the events up to this one.
        func events(until last: [UInt8]) async throws -> [[UInt8]] {
            var reader = EventStream.Reader()
            var events: [[UInt8]] = []
            for await piece in pieces {
                events += try reader.take(piece)
                if events.last == last { break }
            }
            return events
        }

        func end() async {
            writing.cancel()
            _ = await writing.result
        }

        /// Returns whether it ended by itself, complete or cut off.
        func awaitEnd() async throws { try await writing.value }
    }

    private func listen(_ phone: Phone, to server: ServedBank) async throws -> Stream {
        let request = try phone.request(
            EventsExchange.self,
            NoContent(),
            at: server.bank.clock.now
        )
        let response = await server.api.respond(to: try Request(request))
        let signer = try UnverifiedResponse(response).signer(
            of: StreamHead(contentType: EventStream.contentType),
            to: request.reference,
            from: server.trusted
        )
        #expect(signer == server.responseKey.publicKey)
        return try Stream(response)
    }

    private func call(_ transaction: Transaction) -> PushPayload {
        PushPayload(transactionID: transaction.id, account: transaction.account)
    }

    @Test func `is cut off if its client leaves`() async throws {
        let server = try await ServedBank()
        let stream = try await listen(try await server.bank.activate(), to: server)
        await stream.end()
        await #expect(throws: Response.Cut.self) { try await stream.awaitEnd() }
    }

    @Test func `SEC-35: has pending and new transactions, and nothing else`()
        async throws
    {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let (_, stranger) = try await server.bank.activate("4712")
        let first = try await server.bank.pay()
        let stream = try await listen(phone, to: server)
        let others = try await listen(stranger, to: server)
        #expect(try await stream.next() == [call(first)])
        let second = try await server.bank.pay()
        #expect(try await stream.next() == [call(second)])
        let theirs = try await server.bank.pay(from: Bank.account("4712"))
        #expect(try await others.next() == [call(theirs)])
        await stream.end()
        await others.end()
    }

    @Test func `has a transaction again after another notification, of any node`() async throws {
        let server = try await ServedBank()
        let bank = server.bank
        let phone = try await bank.activate()
        _ = try await bank.verifier.setPush(.events, on: phone.id, attempt: .random())
        let payment = try await bank.pay()
        let stream = try await listen(phone, to: server.anotherNode())
        #expect(try await stream.next() == [call(payment)])
        for _ in 1...2 {
            bank.clock.advance(by: .seconds(30))
            let result = try await bank.verifier.notify(
                of: payment.id,
                of: Bank.account,
                by: Bank.core
            )
            #expect(result == .notified)
            #expect(try await stream.next() == [call(payment)])
        }
        await stream.end()
    }

    @Test func `has transactions of other nodes`() async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let stream = try await listen(phone, to: server.anotherNode())
        let payment = try await server.bank.pay()
        #expect(try await stream.next() == [call(payment)])
        await stream.end()
    }

    @Test func `SEC-33: is silent after the person chose "not me"`() async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let denied = try await server.bank.pay()
        let decision = try await phone.decision(.reject(.notMe), on: denied, in: server.bank)
        _ = try await phone.call(DecisionExchange.self, decision, of: server)
        let quiet = try await server.bank.pay()
        guard
            case .found(let pending) = try await server.bank.verifier.pendingNotifications(
                for: phone.id
            )
        else { throw Bank.Unexpected() }
        #expect(pending.transactions.isEmpty)
        let list = try await phone.call(TransactionListExchange.self, NoContent(), of: server)
        #expect(list.response?.transactions == [quiet.id])
    }

    @Test func `SEC-120: announces changes by others once, and again on a new connection`()
        async throws
    {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        server.bank.clock.advance(by: .seconds(1))
        let stream = try await listen(phone, to: server)
        let account = Bank.account.key
        #expect(try await phone.changePIN(in: server.bank) == .accepted(nil))
        _ = try await server.bank.activate()
        let hint = AccountChangeHint(of: account).written
        #expect(try await stream.events(until: hint) == [hint])
        let payment = try await server.bank.pay()
        // The code and the device are two changes, which one event can announce.
        let seen = try await stream.events(until: call(payment).written)
        #expect(seen.dropLast().allSatisfy { $0 == hint })
        #expect(seen.count <= 2)
        await stream.end()
        let again = try await listen(phone, to: server)
        let first = try await again.events(until: AccountChangeHint(of: account).written)
        #expect(first == [call(payment).written, AccountChangeHint(of: account).written])
        await again.end()
        let list = try await phone.call(AccountChangesExchange.self, NoContent(), of: server)
        #expect(list.response?.changes.map(\.kind) == [.deviceActivated, .activationIssued])
    }

    @Test func `ends when the device is revoked`() async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let stream = try await listen(phone, to: server)
        try await server.bank.revoke(phone)
        try await stream.awaitEnd()
        let refused = try await phone.call(EventsExchange.self, NoContent(), of: server)
        #expect(refused.problem == .deviceRevoked)
    }

    @Test func `is open at most three times`() async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        var streams: [Stream] = []
        for _ in 0..<3 { streams.append(try await listen(phone, to: server)) }
        let refused = try await phone.call(EventsExchange.self, NoContent(), of: server)
        #expect(refused.problem == .rateLimited(retryAfterSeconds: 60))
        await streams.removeLast().end()
        streams.append(try await listen(phone, to: server))
        for stream in streams { await stream.end() }
    }

    @Test func `ends when the verifier stops`() async throws {
        let server = try await ServedBank()
        let phone = try await server.bank.activate()
        let stream = try await listen(phone, to: server)
        _ = try await server.bank.pay()
        _ = try await stream.next()
        server.bank.verifier.notifier.end()
        try await stream.awaitEnd()
    }
}
