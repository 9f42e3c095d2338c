import Cryptography
import StrictJSON
import TransactionApproval

extension AuthenticationHandler {
    /// What the verifiers send while this device is connected to them: a notification for each
    /// transaction that begins to wait, and first for those that do already.
    ///
    /// Each goes to `getTransaction(push:)`. A connection that is lost is made anew, for as long as
    /// somebody listens; it ends by itself where no verifier takes this device any more.
    public func pushes() throws(AuthenticationError) -> AsyncStream<[UInt8]> {
        let devices = try someAccounts().map(\.record.device)
        let (pushes, listener) = AsyncStream<[UInt8]>.makeStream(
            bufferingPolicy: .bufferingNewest(Listening.maximumUnread)
        )
        let listening = Task {
            await withDiscardingTaskGroup { group in
                for device in devices {
                    group.addTask { await self.listen(as: device, for: listener) }
                }
            }
            listener.finish()
        }
        listener.onTermination = { _ in listening.cancel() }
        return pushes
    }
}

private enum Listening {
    typealias Listener = AsyncStream<[UInt8]>.Continuation

    static let maximumUnread = 64
    static let shortestWait = Duration.seconds(1)
    static let longestWait = Duration.seconds(60)
}

extension AuthenticationHandler {
    /// Listens until nobody wants to hear any more, or the verifier does not take the device.
    private func listen(as device: DeviceID, for listener: Listening.Listener) async {
        var wait = Listening.shortestWait
        while !Task.isCancelled {
            do throws(AuthenticationError) {
                let accounts = try activeAccounts()
                // Why there is none any more, whoever removed it knows.
                guard let account = accounts.first(where: { $0.record.device == device }) else {
                    return
                }
                try await follow(try await stream(for: account), listener)
                wait = Listening.shortestWait
            } catch  where error.code == .deviceRevoked || error.code == .noAccountActivated {
                return
            } catch {
                wait = min(error.retryAfter ?? wait * 2, Listening.longestWait)
            }
            // A sleep that ends early ends the loop.
            try? await Task.sleep(for: wait * Double.random(in: 0.5...1))
        }
    }

    private func follow(
        _ pieces: AsyncStream<[UInt8]>,
        _ listener: Listening.Listener
    ) async throws(AuthenticationError) {
        var reader = EventStream.Reader()
        for await piece in pieces {
            do throws(EventStream.Reader.TooLong) {
                for push in try reader.take(piece) { listener.yield(push) }
            } catch {
                throw AuthenticationError(.answer, cause: "an event of any length")
            }
        }
    }

    /// What the account's verifier says from now on, once it has proved who it is.
    private func stream(
        for account: OpenAccount
    ) async throws(AuthenticationError) -> AsyncStream<[UInt8]> {
        let party = try Peer(account)
        do throws(AuthenticationError) {
            return try await stream(for: party)
        } catch  where error.code == .clockSkew {
            // By now it is known how far off this clock is.
            return try await stream(for: party)
        }
    }

    private func stream(for party: Peer) async throws(AuthenticationError) -> AsyncStream<[UInt8]> {
        let message: RequestMessage
        do throws(StrictJSON.Unwritable) {
            message = try EventsExchange.message(NoContent(), to: party.server)
        } catch {
            throw AuthenticationError(.invalidArgument, cause: "\(error)")
        }
        let signed = try party.sign(message, at: now(of: party.server))
        let answer: OpenResponse
        do throws(HTTPTransportFailure) {
            answer = try await transport.open(signed)
        } catch {
            throw AuthenticationError(error)
        }
        guard answer.status != StreamOpening.status else {
            try party.check(answer.unverified(), opens: signed)
            return answer.pieces
        }
        let whole = answer.unverified(await Self.body(of: answer))
        let (outcome, _) = try party.read(EventsExchange.self, whole, to: signed)
        guard case .refused(let problem) = outcome else {
            throw AuthenticationError(.answer, cause: "no stream")
        }
        if case .clockSkew(let serverTime) = problem { learn(serverTime, of: party.server) }
        throw AuthenticationError(problem)
    }

    /// As much of it as there may be; what is cut short is not signed.
    private static func body(of answer: OpenResponse) async -> [UInt8] {
        var body: [UInt8] = []
        for await piece in answer.pieces {
            body += piece
            if body.count > NetworkTransport.maximumResponseByteCount { break }
        }
        return body
    }
}
