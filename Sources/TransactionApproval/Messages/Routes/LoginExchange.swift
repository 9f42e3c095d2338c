package import Cryptography

/// An app login over data of the bank's backend, which then redeems it.
package enum LoginExchange: DeviceExchange {
    package static let route = DeviceRoute.login

    package struct Request: DeviceMessage {
        /// SHA-256 of the signed data, which include the bank's challenge.
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
        /// The backend redeems it once.
        package let login: TransactionID

        package init(login: TransactionID) {
            self.login = login
        }
    }
}
