package import Cryptography

/// An app login over what the bank's backend wants signed, which the backend then redeems.
package enum LoginExchange: DeviceExchange {
    package static let route = DeviceRoute.login

    package struct Request: DeviceMessage {
        /// SHA-256 of what is signed, the bank's challenge in it.
        package let dataDigest: Digest
        package let type: AuthenticationType
        package let envelope: CodeEnvelope

        package init(dataDigest: Digest, type: AuthenticationType, envelope: CodeEnvelope) {
            self.dataDigest = dataDigest
            self.type = type
            self.envelope = envelope
        }
    }

    package struct Response: DeviceMessage {
        /// What the backend redeems, once.
        package let login: TransactionID

        package init(login: TransactionID) {
            self.login = login
        }
    }
}
