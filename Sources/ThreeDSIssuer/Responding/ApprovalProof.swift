package import Transactions

/// The person's approval with everything that a positive RReq needs.
package struct ApprovalProof: Sendable {
    package let way: AuthenticationType
    package let value: AuthenticationValue
    package let eci: ECI

    package init(way: AuthenticationType, value: AuthenticationValue, eci: ECI) {
        self.way = way
        self.value = value
        self.eci = eci
    }
}
