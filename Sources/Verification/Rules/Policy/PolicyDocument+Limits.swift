import OneTimePassword
import TransactionApproval

/// The limits that law, payment schemes and guessing set for a policy.
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
            throw .member(error.member)
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
            throw .member(error.member)
        }
    }

    func pinPolicy() throws(Failure) -> PINPolicy {
        let standard = PINPolicy.standard.digitCounts
        let least = pin?.minimumDigits ?? standard.lowerBound
        let most = pin?.maximumDigits ?? standard.upperBound
        let shortPINs: PINPolicy.ShortPINs = pin?.allowsFourDigits == true ? .allowed : .refused
        guard PINPolicy(minimumDigits: least, shortPINs: shortPINs) != nil else {
            throw .member("/pin/minimumDigits")
        }
        guard
            let policy = PINPolicy(minimumDigits: least, maximumDigits: most, shortPINs: shortPINs)
        else { throw .member("/pin/maximumDigits") }
        return policy
    }

    func typedLookAhead() throws(Failure) -> LookAhead {
        guard let lookAhead = LookAhead(exactly: lookAhead ?? LookAhead.default.count) else {
            throw .member("/lookAhead")
        }
        return lookAhead
    }

    func reach() throws(Failure) -> ResynchronisationReach {
        let standard = ResynchronisationReach.default.count
        guard
            let reach = ResynchronisationReach(exactly: resynchronisationReach ?? standard)
        else { throw .member("/resynchronisationReach") }
        return reach
    }

    func tokenDigits() throws(Failure) -> HOTP.Digits? {
        guard let minimumTokenDigits else { return nil }
        guard let digits = HOTP.Digits(rawValue: minimumTokenDigits) else {
            throw .member("/minimumTokenDigits")
        }
        return digits
    }

    func duration(
        _ seconds: Int,
        within limits: ClosedRange<Int>,
        at member: String
    ) throws(Failure) -> Duration {
        .seconds(try number(seconds, within: limits, at: member))
    }

    func number(
        _ number: Int,
        within limits: ClosedRange<Int>,
        at member: String
    ) throws(Failure) -> Int {
        guard limits.contains(number) else { throw .member(member) }
        return number
    }
}

extension PushPolicy.Failure {
    fileprivate var member: String {
        switch self {
        case .pending: "/pendingTransactions"
        case .inTenMinutes: "/requestsInTenMinutes"
        case .inADay: "/requestsInADay"
        }
    }
}

extension LockPolicy.Failure {
    fileprivate var member: String {
        switch self {
        case .failuresBeforeLock: "/lock/failures"
        case .firstLock: "/lock/firstSeconds"
        case .temporaryLocks: "/lock/temporaryLocks"
        case .failuresInWindow: "/lock/failuresInWindow"
        case .window: "/lock/windowSeconds"
        }
    }
}
