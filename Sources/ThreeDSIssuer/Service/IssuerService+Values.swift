import Cryptography
import Storage
import ThreeDSProtocol
import Transactions

/// A call of the authorisation host that can be repeated.
struct KeyedCall: Sendable {
    let key: IdempotencyKey
    /// Method, target and body.
    let content: [UInt8]
}

/// The verdict about an authentication value.
struct CheckResult: Codable, Equatable, Sendable {
    let verdict: AuthenticationValueVerdict
    /// Nil if the value is not one of the card, or of an exempted purchase.
    var approval: ProvedApproval?
}

/// The outcome of a check of an authentication value.
enum CheckOutcome: Equatable, Sendable {
    case checked(CheckResult)
    /// The result of an earlier call with the same key and content.
    case repeated(CheckResult)
    /// The key was used for another content.
    case keyReused
}

extension IssuerService {
    /// The verdict about a value for the issuer's authorisation host; a valid one counts as used.
    ///
    /// The result is stored with the use, under the key of the call if there is one.
    func outcome(
        of check: ValueCheck,
        _ call: KeyedCall? = nil
    ) async throws(StoreFailure) -> CheckOutcome {
        let now = clock()
        let row = try await store.database.read { [store] connection throws(StoreFailure) in
            try store.authentications(connection).authentication(ofDirectory: check.dsTransID)
        }
        if let number = row?.valueKey { try await store.knowValueKey(number) }
        let digest = try call.map { call throws(StoreFailure) in
            try orStoreFailure(store.secrets.digest(ofCall: call.content))
        }
        return try await store.database.write { [store] connection throws(StoreFailure) in
            let checks = store.checks(connection)
            if let call, let earlier = try checks.check(call.key) {
                return earlier.call == digest ? .repeated(earlier.result) : .keyReused
            }
            let result = try store.result(of: check, at: now, connection)
            if let call, let digest {
                try checks.add(StoredCheck(call: digest, result: result), call.key, at: now)
            }
            return .checked(result)
        }
    }
}

extension IssuerStore {
    fileprivate func result(
        of check: ValueCheck,
        at now: Timestamp,
        _ connection: any SQLConnection
    ) throws(StoreFailure) -> CheckResult {
        let table = authentications(connection)
        let found = try table.authentication(ofDirectory: check.dsTransID)
        let card = try cards(connection).card(check.card)
        let call = AuthorisedPurchase(
            value: check.value,
            card: card?.digest,
            isBlocked: card?.isBlocked == true,
            amount: check.amount
        )
        let number = found?.valueKey ?? secrets.newestValueKey
        try secrets.requireValueKey(number)
        let verdict = try orStoreFailure(
            secrets.withValueKey(number) { key throws(CryptographyFailure) in
                try AuthenticationValueVerdict(about: call, found?.issued, under: key, at: now)
            }
        )
        var result = CheckResult(verdict: verdict)
        if verdict.isOfCard { result.approval = found.flatMap { ProvedApproval(of: $0) } }
        guard verdict == .valid, var used = found else { return result }
        used.isValueUsed = true
        try table.replace(used)
        let record = IssuerRecord(
            time: now,
            subject: .authentication(used.id),
            step: .valueUsed,
            details: []
        )
        try records(connection).add(record)
        return result
    }
}

extension Authentication {
    /// Nil if no value was made.
    fileprivate var issued: IssuedAuthenticationValue? {
        guard let purchase, let basis else { return nil }
        return IssuedAuthenticationValue(
            of: purchase,
            by: basis,
            made: made,
            isUsed: isValueUsed
        )
    }
}
