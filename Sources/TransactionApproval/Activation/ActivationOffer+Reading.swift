extension ActivationOffer {
    /// Nil for all bytes that `bytes` does not write.
    package init?(_ bytes: [UInt8]) {
        var reader = FieldReader(bytes)
        // The position of the error does not matter.
        guard let offer = try? Self.read(&reader), (try? reader.end()) != nil else { return nil }
        self = offer
    }

    private static func read(
        _ reader: inout FieldReader
    ) throws(FieldReader.Failure) -> ActivationOffer? {
        guard try reader.text(atMost: 64) == Label.activationOffer.rawValue else { return nil }
        let enterprise: EnterpriseID = try reader.identifier()
        let epoch = Epoch(try reader.number())
        let policy = try reader.field(atMost: maximumPolicy)
        let count = try reader.number(UInt32.self)
        guard count <= maximumEnrolments else { return nil }
        var enrolments: [Enrolment] = []
        for _ in 0..<count {
            enrolments.append(
                Enrolment(
                    account: AccountKey(
                        type: try reader.identifier(),
                        id: try reader.identifier()
                    ),
                    userCredential: try reader.identifier(),
                    deviceCredential: try reader.identifier()
                )
            )
        }
        return ActivationOffer(
            enterprise: enterprise,
            epoch: epoch,
            policy: policy,
            enrolments: enrolments
        )
    }
}
