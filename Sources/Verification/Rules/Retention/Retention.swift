/// How long what is over stays where decisions look.
///
/// Transactions go to an archive, with all that they were; the audit trail is never shortened; the
/// rest is of no use to anybody and is deleted.
package struct Retention: Equatable, Sendable {
    /// After their end; no shorter than the history that limits requests needs.
    package let transactions: Duration
    /// For as long as somebody may ask again how an attempt or a call of the bank ended.
    package let attempts: Duration
    package let logins: Duration
    package let deliveries: Duration
    package let activations: Duration

    package static let standard = Retention(
        transactions: .seconds(7 * 24 * 60 * 60),
        attempts: .seconds(2 * 24 * 60 * 60),
        logins: .seconds(2 * 24 * 60 * 60),
        deliveries: .seconds(7 * 24 * 60 * 60),
        activations: .seconds(30 * 24 * 60 * 60)
    )

    private init(
        transactions: Duration,
        attempts: Duration,
        logins: Duration,
        deliveries: Duration,
        activations: Duration
    ) {
        self.transactions = transactions
        self.attempts = attempts
        self.logins = logins
        self.deliveries = deliveries
        self.activations = activations
    }
}
