import OneTimePassword
import TransactionApproval

/// What law, payment schemes and the arithmetic of guessing leave to an enterprise.
extension PolicyDocument {
    func pushPolicy() throws(Failure) -> PushPolicy {
        let standard = PushPolicy.standard
        do throws(PushPolicy.Failure) {
            return try PushPolicy(
                pending: pendingTransactions ?? standard.pending,
                inTenMinutes: requestsInTenMinutes ?? standard.inTenMinutes,
                inADay: requestsInADay ?? standard.inADay
            )
        } catch {
            throw .push(error)
        }
    }

    func lockPolicy() throws(Failure) -> LockPolicy {
        let standard = LockPolicy.standard
        do throws(LockPolicy.Failure) {
            return try LockPolicy(
                failuresBeforeLock: lock?.failures ?? standard.failuresBeforeLock,
                firstLock: lock?.firstSeconds.map { .seconds($0) } ?? standard.firstLock,
                temporaryLocks: lock?.temporaryLocks ?? standard.temporaryLocks,
                failuresInWindow: lock?.failuresInWindow ?? standard.failuresInWindow,
                window: lock?.windowSeconds.map { .seconds($0) } ?? standard.window
            )
        } catch {
            throw .lock(error)
        }
    }

    func pinPolicy() throws(Failure) -> PINPolicy {
        let standard = PINPolicy.standard.digitCounts
        guard
            let policy = PINPolicy(
                leastDigits: pin?.leastDigits ?? standard.lowerBound,
                mostDigits: pin?.mostDigits ?? standard.upperBound,
                shortPINs: pin?.allowsFourDigits == true ? .allowed : .refused
            )
        else { throw .pin }
        return policy
    }

    func typedLookAhead() throws(Failure) -> LookAhead {
        guard let lookAhead = LookAhead(exactly: lookAhead ?? LookAhead.typed.count) else {
            throw .lookAhead
        }
        return lookAhead
    }

    func reach() throws(Failure) -> ResynchronisationReach {
        let standard = ResynchronisationReach.standard.count
        guard
            let reach = ResynchronisationReach(exactly: resynchronisationReach ?? standard)
        else { throw .resynchronisationReach }
        return reach
    }

    func tokenDigits() throws(Failure) -> HOTP.Digits? {
        guard let leastTokenDigits else { return nil }
        guard let digits = HOTP.Digits(rawValue: leastTokenDigits) else {
            throw .leastTokenDigits
        }
        return digits
    }

    func duration(
        _ seconds: Int,
        within limits: ClosedRange<Int>,
        _ failure: Failure
    ) throws(Failure) -> Duration {
        .seconds(try number(seconds, within: limits, failure))
    }

    func number(
        _ number: Int,
        within limits: ClosedRange<Int>,
        _ failure: Failure
    ) throws(Failure) -> Int {
        guard limits.contains(number) else { throw failure }
        return number
    }
}
