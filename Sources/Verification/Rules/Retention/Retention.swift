/// How long finished rows stay in the tables that decisions read.
///
/// Transactions move to an archive. The audit trail is never shortened. All other rows are deleted.
package struct Retention: Equatable, Sendable {
    /// After their end; at least as long as the history that limits requests.
    package let transactions: Duration
    /// How long a repeated attempt or bank call gets its first result.
    package let attempts: Duration
    package let logins: Duration
    package let deliveries: Duration
    package let activations: Duration

    package static let `default` = Retention(
        transactions: .seconds(7 * 24 * 60 * 60),
        attempts: .seconds(2 * 24 * 60 * 60),
        logins: .seconds(2 * 24 * 60 * 60),
        deliveries: .seconds(7 * 24 * 60 * 60),
        activations: .seconds(30 * 24 * 60 * 60)
    )
}
