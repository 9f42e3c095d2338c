package import Transactions

/// The person's approval with everything that a positive RReq needs.
package struct ApprovalProof: Sendable {
    let way: AuthenticationType
    let value: AuthenticationValue
    let eci: ECI

    package init(way: AuthenticationType, value: AuthenticationValue, eci: ECI) {
        self.way = way
        self.value = value
        self.eci = eci
    }
}
