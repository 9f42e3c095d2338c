package import Cryptography

/// The first step of an activation: a device shows that it knows the code, and learns what there is
/// to enrol.
///
/// The request is signed with the device key that is in it.
package enum ActivationClaimExchange: DeviceExchange {
    package static let route = DeviceRoute.activationClaim

    package typealias Request = SubmittedClaim

    package struct Response: DeviceMessage {
        package let offer: ActivationOffer
        package let mac: Digest

        package init(offer: ActivationOffer, mac: Digest) {
            self.offer = offer
            self.mac = mac
        }
    }
}
