package import Cryptography

/// The second step of an activation, after claim and offer were verified.
package struct EnrolmentSession: ~Copyable, Sendable {
    package let offer: ActivationOffer
    /// Proves to the device that the sender of the offer knows the code.
    package let offerMAC: Digest
    private let transcript: Digest
    private let key: SecureBytes

    init(
        offer: ActivationOffer,
        offerMAC: Digest,
        transcript: Digest,
        key: consuming SecureBytes
    ) {
        self.offer = offer
        self.offerMAC = offerMAC
        self.transcript = transcript
        self.key = key
    }

    /// Proves to the device that the verifier processed `commit` with these outcomes.
    package borrowing func receipt(
        for commit: ActivationCommit,
        _ outcomes: [EnrolmentOutcome]
    ) throws(CryptographyFailure) -> Digest {
        var message = FieldWriter(.activationReceipt)
        message.append(transcript)
        message.append(UInt32(commit.enrolments.count))
        for enrolment in commit.enrolments { message.append(enrolment) }
        message.append(UInt32(outcomes.count))
        for outcome in outcomes { message.append(outcome.rawValue) }
        return try key.mac(.receiptKey, of: message.bytes)
    }
}

package struct AccountSeeds: ~Copyable, Sendable {
    package let user: CredentialSeed
    package let device: CredentialSeed

    package init(user: consuming CredentialSeed, device: consuming CredentialSeed) {
        self.user = user
        self.device = device
    }
}

// MARK: The device's side

/// The id and signature key of a device that is being activated.
package struct NewDevice: Sendable {
    package let id: DeviceID
    package let key: P256.PrivateKey

    package init(id: DeviceID, key: P256.PrivateKey) {
        self.id = id
        self.key = key
    }
}

extension EnrolmentSession {
    /// Seals both seeds.
    ///
    /// Each has its own key, so one nonce is safe.
    package borrowing func enrol(
        _ enrolment: ActivationOffer.Enrolment,
        on device: NewDevice,
        _ seeds: borrowing AccountSeeds,
        nonce: SealingNonce
    ) throws(CryptographyFailure) -> ActivationCommit.Enrolment {
        let place = SealingPlace(enrolment, device: device.id, key: device.key.publicKey)
        let message = possessionMessage(place)
        return ActivationCommit.Enrolment(
            device: device.id,
            deviceKey: device.key.publicKey,
            userSeed: try seal(seeds.user, .user, at: place, nonce),
            deviceSeed: try seal(seeds.device, .device, at: place, nonce),
            possession: try device.key.signature(for: message.span)
        )
    }

    private borrowing func seal(
        _ seed: borrowing CredentialSeed,
        _ kind: CredentialKind,
        at place: SealingPlace,
        _ nonce: SealingNonce
    ) throws(CryptographyFailure) -> SealedSeed {
        try SealedSeed(
            sealing: seed,
            key: try sealingKey(kind, at: place),
            nonce: nonce,
            authenticating: associatedBytes(kind, at: place)
        )
    }
}

// MARK: The server's side

extension EnrolmentSession {
    /// The reason why a whole commit is refused.
    package enum Refusal: Error, Equatable, Sendable {
        /// The number of enrolments differs from the offer.
        case enrolmentsDiffer
        /// The signature of the device key is wrong.
        case possessionNotProven
        /// A seed was sealed for another place, device or session.
        case seedNotAuthentic
        case system(SystemFailure)
    }

    /// Opens the seeds of enrolment `index`.
    package borrowing func seeds(
        at index: Int,
        of commit: ActivationCommit
    ) throws(Refusal) -> AccountSeeds {
        guard commit.enrolments.count == offer.enrolments.count else { throw .enrolmentsDiffer }
        let enrolment = commit.enrolments[index]
        let place = SealingPlace(
            offer.enrolments[index],
            device: enrolment.device,
            key: enrolment.deviceKey
        )
        guard try isProven(enrolment.possession, at: place) else { throw .possessionNotProven }
        return AccountSeeds(
            user: try open(enrolment.userSeed, .user, at: place),
            device: try open(enrolment.deviceSeed, .device, at: place)
        )
    }

    private borrowing func isProven(
        _ possession: P256.Signature,
        at place: SealingPlace
    ) throws(Refusal) -> Bool {
        let message = possessionMessage(place)
        return try translatingSystemFailure(
            place.key.isValid(possession, for: message.span),
            to: Refusal.system
        )
    }

    private borrowing func open(
        _ seed: SealedSeed,
        _ kind: CredentialKind,
        at place: SealingPlace
    ) throws(Refusal) -> CredentialSeed {
        let opened = try translatingSystemFailure(
            seed.open(
                key: try sealingKey(kind, at: place),
                authenticating: associatedBytes(kind, at: place)
            ),
            to: Refusal.system
        )
        guard let opened else { throw .seedNotAuthentic }
        return opened
    }
}

// MARK: What both sides compute alike

private struct SealingPlace {
    let enrolment: ActivationOffer.Enrolment
    let device: DeviceID
    let key: P256.PublicKey

    init(_ enrolment: ActivationOffer.Enrolment, device: DeviceID, key: P256.PublicKey) {
        self.enrolment = enrolment
        self.device = device
        self.key = key
    }
}

extension EnrolmentSession {
    private borrowing func possessionMessage(_ place: SealingPlace) -> [UInt8] {
        var message = FieldWriter(.devicePossession)
        message.append(transcript)
        message.append(place.enrolment)
        message.append(place.device)
        message.append(place.key)
        return message.bytes
    }

    private borrowing func sealingKey(
        _ kind: CredentialKind,
        at place: SealingPlace
    ) throws(CryptographyFailure) -> SecureBytes {
        var info = FieldWriter(.activationSeedKey)
        info.append(offer.credential(kind, of: place.enrolment))
        return try key.subkey(info)
    }

    private borrowing func associatedBytes(
        _ kind: CredentialKind,
        at place: SealingPlace
    ) -> [UInt8] {
        var associated = FieldWriter(.activationSeed)
        associated.append(transcript)
        associated.append(offer.credential(kind, of: place.enrolment))
        associated.append(place.device)
        associated.append(place.key)
        return associated.bytes
    }
}
