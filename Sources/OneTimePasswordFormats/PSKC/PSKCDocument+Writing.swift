import Cryptography
public import OneTimePassword

extension PSKCDocument {
    /// The protection of the secrets in a written document.
    public enum Protection: Sendable {
        /// Not encrypted.
        case nothing
        /// AES-128, AES-192 or AES-256, depending on the key's length; the name identifies the key.
        case preSharedKey(SecretBytes, named: String)
        /// AES-256 with a key that PBKDF2 derives from a password in UTF-8.
        case password(SecretBytes, iterations: Int = 600_000)
    }

    /// Writes the document, with a MAC over each encrypted secret.
    ///
    /// Without protection the result contains the secrets, and the caller must wipe it.
    public func serialized(
        protection: Protection,
        authenticatedBy macAlgorithm: HMACAlgorithm = .sha256
    ) throws(WritingFailure) -> [UInt8] {
        if keys.isEmpty { throw .noKeys }
        var ids: Set<String> = []
        for (index, key) in keys.enumerated() {
            if let id = key.id, !ids.insert(id).inserted { throw .duplicateKeyID(keyIndex: index) }
            if !key.policy.isUnderstood { throw .policyNotUnderstood(keyIndex: index) }
        }
        let sealing = try Sealing(protection, macAlgorithm)
        var xml = XMLWriter()
        try xml.start(
            "pskc:KeyContainer",
            [
                "xmlns:pskc": XMLElement.Namespace.pskc.rawValue,
                "xmlns:ds": XMLElement.Namespace.signature.rawValue,
                "xmlns:xenc": XMLElement.Namespace.encryption.rawValue,
                "xmlns:xenc11": XMLElement.Namespace.encryption11.rawValue,
                "xmlns:pkcs5": XMLElement.Namespace.pkcs5.rawValue,
                "Version": "1.0",
                "Id": id,
            ]
        )
        try sealing?.write(to: &xml)
        for key in keys {
            try key.write(to: &xml, sealing)
            guard xml.output.byteCount < XMLReader.maximumByteCount else { throw .tooLarge }
        }
        xml.end()
        guard xml.output.byteCount <= XMLReader.maximumByteCount else { throw .tooLarge }
        return xml.output.withBytes { $0.array }
    }
}

extension PSKCDocument.Key {
    typealias WritingFailure = PSKCDocument.WritingFailure

    fileprivate func write(
        to xml: inout XMLWriter,
        _ sealing: Sealing?
    ) throws(WritingFailure) {
        try xml.start("pskc:KeyPackage")
        try device.write(to: &xml)
        if let cryptoModuleID {
            try xml.start("pskc:CryptoModuleInfo")
            try xml.leaf("pskc:Id", cryptoModuleID)
            xml.end()
        }
        // The schema defines the order (RFC 6030, section 11).
        try xml.start("pskc:Key", ["Id": id, "Algorithm": algorithm?.uri])
        try xml.leaf("pskc:Issuer", issuer)
        try writeParameters(to: &xml)
        try xml.leaf("pskc:KeyProfileId", profile)
        try xml.leaf("pskc:KeyReference", reference)
        try xml.leaf("pskc:FriendlyName", friendlyName)
        try writeData(to: &xml, sealing)
        try xml.leaf("pskc:UserId", userID)
        try policy.write(to: &xml)
        xml.end()
        xml.end()
    }

    private func writeParameters(to xml: inout XMLWriter) throws(WritingFailure) {
        try xml.start("pskc:AlgorithmParameters")
        try xml.leaf("pskc:Suite", suite)
        if let format = challengeFormat {
            try xml.empty(
                "pskc:ChallengeFormat",
                [
                    "Encoding": format.format.rawValue,
                    "Min": String(format.lengths.lowerBound),
                    "Max": String(format.lengths.upperBound),
                    "CheckDigits": String(format.hasCheckDigit),
                ]
            )
        }
        if let format = responseFormat {
            try xml.empty(
                "pskc:ResponseFormat",
                [
                    "Encoding": format.format.rawValue,
                    "Length": String(format.length),
                    "CheckDigits": String(format.hasCheckDigit),
                ]
            )
        }
        xml.end()
    }

    private func writeData(
        to xml: inout XMLWriter,
        _ sealing: Sealing?
    ) throws(WritingFailure) {
        try xml.start("pskc:Data")
        if let secret { try secret.write(to: &xml, sealing) }
        try xml.value("pskc:Counter", counter?.value)
        try xml.value("pskc:Time", time)
        try xml.value("pskc:TimeInterval", timeIntervalSeconds)
        try xml.value("pskc:TimeDrift", timeDrift)
        xml.end()
    }
}

extension PSKCDocument.Device {
    fileprivate func write(to xml: inout XMLWriter) throws(PSKCDocument.WritingFailure) {
        try xml.start("pskc:DeviceInfo")
        try xml.leaf("pskc:Manufacturer", manufacturer)
        try xml.leaf("pskc:SerialNo", serialNumber)
        try xml.leaf("pskc:Model", model)
        try xml.leaf("pskc:IssueNo", issueNumber)
        try xml.leaf("pskc:DeviceBinding", binding)
        try xml.leaf("pskc:StartDate", startDate)
        try xml.leaf("pskc:ExpiryDate", expiryDate)
        try xml.leaf("pskc:UserId", userID)
        xml.end()
    }
}

extension PSKCDocument.Policy {
    fileprivate func write(to xml: inout XMLWriter) throws(PSKCDocument.WritingFailure) {
        try xml.start("pskc:Policy")
        try xml.leaf("pskc:StartDate", startDate)
        try xml.leaf("pskc:ExpiryDate", expiryDate)
        if let pin {
            try xml.empty(
                "pskc:PINPolicy",
                [
                    "PINKeyId": pin.keyID,
                    "PINUsageMode": pin.usageMode?.rawValue,
                    "MaxFailedAttempts": pin.maximumFailedAttempts.map { String($0) },
                    "MinLength": pin.minimumLength.map { String($0) },
                    "MaxLength": pin.maximumLength.map { String($0) },
                    "PINEncoding": pin.format?.rawValue,
                ]
            )
        }
        for usage in usages { try xml.leaf("pskc:KeyUsage", usage.rawValue) }
        try xml.leaf("pskc:NumberOfTransactions", numberOfTransactions.map { String($0) })
        xml.end()
    }
}

extension SecretBytes {
    fileprivate func write(
        to xml: inout XMLWriter,
        _ sealing: Sealing?
    ) throws(PSKCDocument.WritingFailure) {
        try xml.start("pskc:Secret")
        if let sealing {
            try sealing.write(self, to: &xml)
        } else {
            try xml.start("pskc:PlainValue")
            let text = try base64()
            text.withBytes { xml.append($0) }
            xml.end()
        }
        xml.end()
    }

    private func base64() throws(PSKCDocument.WritingFailure) -> SecureBytes {
        try translatingSystemFailure(
            withBytes { bytes throws(CryptographyFailure) in
                try TextEncoding.base64.encode(secret: bytes)
            },
            to: PSKCDocument.WritingFailure.system
        )
    }
}

extension XMLWriter {
    fileprivate mutating func value(_ name: String, _ number: UInt64?) throws(Failure) {
        guard let number else { return }
        try start(name)
        try leaf("pskc:PlainValue", String(number))
        end()
    }
}
