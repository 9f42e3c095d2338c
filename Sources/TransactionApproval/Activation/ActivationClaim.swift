package import Cryptography

/// The first message of an activation.
package struct ActivationClaim: Codable, Equatable, Sendable {
    package let activation: ActivationID
    /// The verifier's key-agreement key.
    package let serverKey: ServerKeyID
    package let device: DeviceID
    package let ephemeralKey: P256.PublicKey
    package let deviceKey: P256.PublicKey
    package let deviceName: DeviceName

    package init(
        activation: ActivationID,
        serverKey: ServerKeyID,
        device: DeviceID,
        ephemeralKey: P256.PublicKey,
        deviceKey: P256.PublicKey,
        deviceName: DeviceName
    ) {
        self.activation = activation
        self.serverKey = serverKey
        self.device = device
        self.ephemeralKey = ephemeralKey
        self.deviceKey = deviceKey
        self.deviceName = deviceName
    }

    package func transcript() throws(CryptographyFailure) -> Digest {
        var message = FieldWriter(.activationClaim)
        message.append(activation)
        message.append(serverKey)
        message.append(device)
        message.append(ephemeralKey)
        message.append(deviceKey)
        message.append(deviceName.text)
        return try message.sha256()
    }
}

/// A claim with the proof that its sender knows the code.
package struct SubmittedClaim: DeviceMessage {
    package let claim: ActivationClaim
    package let proof: Digest

    package init(_ claim: ActivationClaim, proof: Digest) {
        self.claim = claim
        self.proof = proof
    }

    /// Identifies the claim; only its sender can compute the proof.
    package func digest() throws(CryptographyFailure) -> Digest {
        var writer = FieldWriter()
        writer.append(try claim.transcript())
        writer.append(proof)
        return try writer.sha256()
    }
}
