import Sealing
import Storage
import TransactionApproval

/// Rows that the jobs of one transaction read once: no other transaction changes them meanwhile.
///
/// A failed job takes it along, because the job may have changed it.
final class SharedRows {
    /// The row of the verifier, with its state.
    struct State {
        let state: StoreState
        let row: KnownRow
        /// The key version of the row's tag.
        let keyVersion: UInt32
    }

    private let keyRing: KeyRing
    var state: State?
    /// The policy that was used last.
    var policy: (enterprise: EnterpriseID, parsed: EnterprisePolicy)?

    private init(_ keyRing: KeyRing) {
        self.keyRing = keyRing
    }

    /// A ledger without keys shares nothing: it checks no tags.
    static func of(_ connection: any SQLConnection, _ keyRing: KeyRing?) -> SharedRows? {
        guard let keyRing else { return nil }
        if let rows = connection.shared as? SharedRows, rows.keyRing === keyRing { return rows }
        let rows = SharedRows(keyRing)
        connection.shared = rows
        return rows
    }
}
