import Cryptography
import StrictJSON
import TransactionApproval

extension AuthenticationHandler {
    /// How often a request goes out whose answer is lost: the body has an attempt id or changes
    /// nothing, so the verifier does it once.
    private static let tries = 2

    /// Asks, and gives what was asked for.
    func ask<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ request: Exchange.Request,
        by party: Peer
    ) async throws(AuthenticationError) -> Exchange.Response {
        switch try await outcome(exchange, request, by: party) {
        case .done(let answer): return answer
        case .refused(let problem): throw AuthenticationError(problem)
        }
    }

    /// Asks, and gives what the verifier said to it.
    func outcome<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ request: Exchange.Request,
        by party: Peer
    ) async throws(AuthenticationError) -> Outcome<Exchange.Response> {
        let message: RequestMessage
        do throws(StrictJSON.Unwritable) {
            message = try Exchange.message(request, to: party.server)
        } catch {
            throw AuthenticationError(.invalidArgument, cause: "\(error)")
        }
        let outcome = try await send(exchange, message, by: party)
        guard case .refused(.clockSkew(let serverTime)) = outcome else { return outcome }
        learn(serverTime, of: party.server)
        return try await send(exchange, message, by: party)
    }

    private func send<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ message: RequestMessage,
        by party: Peer
    ) async throws(AuthenticationError) -> Outcome<Exchange.Response> {
        var left = Self.tries
        while true {
            left -= 1
            let signed = try party.sign(message, at: now(of: party.server))
            do throws(AuthenticationError) {
                let answer = try await carry(signed)
                let (outcome, signer) = try party.read(exchange, answer, to: signed)
                if signer == party.nextServerKey { await promote(signer, for: party.device) }
                // It may have done what it was asked to, and been unable to say so.
                if left > 0, case .refused(.serverUnavailable) = outcome { continue }
                return outcome
            } catch  where left > 0 && error.leavesResultUnknown {
                continue
            } catch {
                throw error
            }
        }
    }

    /// What time it is for this server.
    func now(of server: ServerOrigin) -> Timestamp {
        surroundings.now() + clockOffsets[server, default: .zero]
    }

    func learn(_ time: Timestamp, of server: ServerOrigin) {
        clockOffsets[server] = time.elapsed(since: surroundings.now())
    }

    /// Takes the key that was announced for the server's only one, now that the server uses it.
    private func promote(_ key: P256.PublicKey, for device: DeviceID) async {
        // Where that cannot be written now, the next answer says it again: `try?`.
        try? await change(device) { record in
            guard record.nextSigningKey == key else { return }
            record.signingKey = key
            record.nextSigningKey = nil
        }
    }

    private func carry(
        _ request: SignedRequest
    ) async throws(AuthenticationError) -> UnverifiedResponse {
        do throws(HTTPTransportFailure) {
            return try await transport.answer(to: request)
        } catch {
            throw AuthenticationError(error)
        }
    }
}

extension AuthenticationError {
    /// Whether the verifier may have done what it was asked to.
    var leavesResultUnknown: Bool {
        [.networkUnavailable, .serverUntrusted].contains(code)
    }
}
