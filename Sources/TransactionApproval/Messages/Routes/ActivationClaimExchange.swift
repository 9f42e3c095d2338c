package import Cryptography

/// Proves that the device knows the code, and returns the offer.
///
/// The device key in the body signs the request.
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
