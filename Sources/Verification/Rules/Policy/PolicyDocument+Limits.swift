import OneTimePassword
import TransactionApproval

/// The limits that law, payment schemes and guessing set for a policy.
extension PolicyDocument {
    func pushPolicy() throws(Failure) -> PushPolicy {
        let defaults = PushPolicy.default
        do throws(PushPolicy.Failure) {
            return try PushPolicy(
                pending: pendingTransactions ?? defaults.pending,
                inTenMinutes: requestsInTenMinutes ?? defaults.inTenMinutes,
                inADay: requestsInADay ?? defaults.inADay
            )
        } catch {
            throw .member(error.member)
        }
    }

    func lockPolicy() throws(Failure) -> LockPolicy {
        let defaults = LockPolicy.default
        do throws(LockPolicy.Failure) {
            return try LockPolicy(
                failuresBeforeLock: lock?.failures ?? defaults.failuresBeforeLock,
                firstLock: lock?.firstSeconds.map { .seconds($0) } ?? defaults.firstLock,
                temporaryLocks: lock?.temporaryLocks ?? defaults.temporaryLocks,
                failuresInWindow: lock?.failuresInWindow ?? defaults.failuresInWindow,
                window: lock?.windowSeconds.map { .seconds($0) } ?? defaults.window
            )
        } catch {
            throw .member(error.member)
        }
    }

    func pinPolicy() throws(Failure) -> PINPolicy {
        let defaultCounts = PINPolicy.default.digitCounts
        let minimum = pin?.minimumDigits ?? defaultCounts.lowerBound
        let maximum = pin?.maximumDigits ?? defaultCounts.upperBound
        let shortPINs: PINPolicy.ShortPINs = pin?.allowsFourDigits == true ? .allowed : .refused
        guard PINPolicy(minimumDigits: minimum, shortPINs: shortPINs) != nil else {
            throw .member("/pin/minimumDigits")
        }
        guard
            let policy = PINPolicy(
                minimumDigits: minimum,
                maximumDigits: maximum,
                shortPINs: shortPINs
            )
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
        let defaultReach = ResynchronisationReach.default.count
        guard
            let reach = ResynchronisationReach(exactly: resynchronisationReach ?? defaultReach)
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
