import Cryptography
import FailureTranslation
import StrictJSON
import TransactionApproval

extension AuthenticationHandler {
    /// The number of attempts if the response is lost.
    ///
    /// Requests are idempotent: the body has an attempt id or changes nothing.
    private static let maximumAttempts = 2

    /// Sends a request and returns the response; throws if the verifier refuses.
    func send<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ request: Exchange.Request,
        by peer: Peer
    ) async throws(AuthenticationError) -> Exchange.Response {
        switch try await outcome(exchange, request, by: peer) {
        case .done(let response): return response
        case .refused(let problem): throw refusal(problem, by: peer)
        }
    }

    /// The error for a refusal, with the offset of the server's clock.
    func refusal(_ problem: Problem, by peer: Peer) -> AuthenticationError {
        AuthenticationError(
            refusal: problem,
            clockOffset: clockOffsets[peer.server, default: .zero]
        ).concerning(peer)
    }

    /// Sends a request and returns the outcome, which may be a refusal.
    func outcome<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ request: Exchange.Request,
        by peer: Peer
    ) async throws(AuthenticationError) -> Outcome<Exchange.Response> {
        do throws(AuthenticationError) {
            return try await finalOutcome(exchange, request, by: peer)
        } catch {
            throw error.concerning(peer)
        }
    }

    /// The outcome after all repetitions of the request.
    private func finalOutcome<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ request: Exchange.Request,
        by peer: Peer
    ) async throws(AuthenticationError) -> Outcome<Exchange.Response> {
        let message = try Exchange.request(request, to: peer.server)
        var unknownResult: AuthenticationError?
        var outcome = try await sendWithRetry(exchange, message, by: peer, &unknownResult)
        if case .refused(.clockSkew(let serverTime)) = outcome {
            setClockOffset(serverTime, of: peer.server)
            outcome = try await sendWithRetry(exchange, message, by: peer, &unknownResult)
        }
        // This refusal is of the repeated request: the verifier may have done the first one.
        if let unknownResult, case .refused(let problem) = outcome, problem.precedesProcessing {
            throw unknownResult
        }
        return outcome
    }

    /// Sets `unknownResult` if the verifier may have processed an attempt.
    private func sendWithRetry<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ message: RequestMessage,
        by peer: Peer,
        _ unknownResult: inout AuthenticationError?
    ) async throws(AuthenticationError) -> Outcome<Exchange.Response> {
        var left = Self.maximumAttempts
        while true {
            left -= 1
            let signed = try peer.sign(message, at: now(of: peer.server))
            do throws(AuthenticationError) {
                let response = try await translatingAsync(
                    await transport.response(to: signed),
                    to: AuthenticationError.init(transport:)
                )
                let (outcome, signer) = try peer.read(exchange, response, to: signed)
                if signer == peer.nextServerKey { await promote(signer, for: peer.device) }
                if Exchange.self != StatusExchange.self {
                    await learn(response.announcedKeys, for: peer.device)
                }
                // The verifier may have done the work without being able to respond.
                if left > 0, case .refused(.serverUnavailable) = outcome {
                    unknownResult = AuthenticationError(refusal: .serverUnavailable)
                    continue
                }
                return outcome
            } catch {
                if error.leavesResultUnknown { unknownResult = error }
                guard left > 0, error.isWorthAnotherAttempt else { throw unknownResult ?? error }
            }
        }
    }

    /// The time by the clock of this server.
    func now(of server: ServerOrigin) -> Timestamp {
        dependencies.now() + clockOffsets[server, default: .zero]
    }

    /// Stores zero if the clock of this device was corrected meanwhile.
    ///
    /// The limit is below the tolerance of the verifier: a response that takes long must not make a
    /// refused clock look right.
    func setClockOffset(_ time: Timestamp, of server: ServerOrigin) {
        let offset = time.elapsed(since: dependencies.now())
        let limit = UnverifiedRequest.maximumClockSkew / 2
        clockOffsets[server] = (.zero - limit...limit).contains(offset) ? .zero : offset
    }

    /// Replaces the server's key by the announced key, after the server has used it.
    private func promote(_ key: P256.PublicKey, for device: DeviceID) async {
        // If the write fails, the next response repeats it: `try?`.
        try? await change(device) { record in
            guard record.nextSigningKey == key else { return }
            record.signingKey = key
            record.nextSigningKey = nil
        }
    }
}

extension AuthenticationHandler {
    /// Requests the status if the verifier announces a key that the account does not have.
    ///
    /// Only once for each announcement, also after a failure: its sender may be an attacker. A later
    /// start of the program requests it again.
    private func learn(_ announced: AnnouncedKeys?, for device: DeviceID) async {
        guard let announced, requestedKeys[device] != announced else { return }
        // The keys are not urgent, so no failure here ends the call: `try?`.
        guard
            let account = try? account(device), account.record.state == .active,
            // The result of its last message comes first.
            !account.record.needsRecovery, !account.record.has(announced)
        else { return }
        requestedKeys[device] = announced
        _ = try? await refresh(account)
    }
}

extension AccountRecord {
    fileprivate func has(_ announced: AnnouncedKeys) -> Bool {
        // A key whose name cannot be computed counts as missing: `try?`.
        let names = [signingKey, nextSigningKey, agreementKey].compactMap { key in
            key.flatMap { try? ServerKeyID(of: $0) }
        }
        return announced.names.allSatisfy(names.contains)
    }
}

extension DeviceExchange {
    static func request(
        _ request: Request,
        to server: ServerOrigin
    ) throws(AuthenticationError) -> RequestMessage {
        try translating(message(request, to: server)) { (failure: StrictJSON.Unwritable) in
            AuthenticationError(.invalidArgument, cause: "\(failure)")
        }
    }
}

extension Problem {
    /// Whether the verifier refuses a request for this reason before it looks for its result.
    fileprivate var precedesProcessing: Bool {
        switch self {
        case .rateLimited, .upgradeRequired, .clockSkew: true
        default: false
        }
    }
}

extension AuthenticationError {
    fileprivate func concerning(_ peer: Peer) -> AuthenticationError {
        var error = self
        error.account = peer.account
        return error
    }

    /// Whether the verifier may have processed the request.
    var leavesResultUnknown: Bool {
        switch code {
        case .responseMissing: true
        case .serverUntrusted: trustFailure == .response
        default: false
        }
    }

    /// Whether the verifier may have done the operation that failed with this error.
    var mayFollowSuccess: Bool {
        switch code {
        case .serverUnavailable: true
        // The vault may have failed after the verifier's response.
        case .vaultDamaged, .vaultLocked, .vaultUnavailable, .deviceSecretMissing: true
        default: leavesResultUnknown
        }
    }

    fileprivate var isWorthAnotherAttempt: Bool {
        [.networkUnavailable, .responseMissing, .serverUntrusted].contains(code)
    }
}
