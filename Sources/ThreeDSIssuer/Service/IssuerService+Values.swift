import Cryptography
package import Storage
import ThreeDSProtocol
package import Transactions

extension IssuerService {
    /// The verdict about a value for the issuer's authorisation host; a valid one counts as used.
    ///
    /// `dsTransID` is the identifier of the directory server.
    package func verdict(
        about value: AuthenticationValue,
        dsTransID: String,
        card reference: CardReference,
        amount: Amount
    ) async throws(StoreFailure) -> AuthenticationValueVerdict {
        let now = clock()
        let row = try await store.database.read { [store] connection throws(StoreFailure) in
            try store.authentications(connection).authentication(ofDirectory: dsTransID)
        }
        if let number = row?.valueKey { try await store.knowValueKey(number) }
        return try await store.database.write { [store] connection throws(StoreFailure) in
            let table = store.authentications(connection)
            let found = try table.authentication(ofDirectory: dsTransID)
            let call = AuthorisedPurchase(
                value: value,
                card: try store.cards(connection).card(reference)?.card.digest,
                amount: amount
            )
            let number = found?.valueKey ?? store.secrets.newestValueKey
            let verdict = try orStoreFailure(
                store.secrets.withValueKey(number) { key throws(CryptographyFailure) in
                    try AuthenticationValueVerdict(about: call, found?.issued, under: key, at: now)
                }
            )
            guard verdict == .valid, var used = found else { return verdict }
            used.isValueUsed = true
            try table.replace(used)
            let record = IssuerRecord(
                time: now,
                authentication: used.id,
                step: .valueUsed,
                details: []
            )
            try store.records(connection).add(record)
            return verdict
        }
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
