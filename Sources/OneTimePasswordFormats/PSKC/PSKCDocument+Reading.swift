public import OneTimePassword

extension PSKCDocument {
    /// The key for encrypted values.
    public enum Unlock: Sendable {
        case nothing
        case preSharedKey(SecretBytes)
        /// The bytes of a password, in UTF-8.
        case password(SecretBytes)
    }

    /// Reads a document of at most 4 MiB; the caller wipes its own copy if that contains secrets.
    ///
    /// With a password, the document decides how long this takes: up to one or two seconds.
    public init(
        reading document: Span<UInt8>,
        unlockedBy unlock: Unlock = .nothing
    ) throws(ReadingFailure) {
        let container = try XMLReader.root(of: document)
        guard
            container.name == "KeyContainer", container.namespace == .pskc,
            try container.requiredAttribute("Version") == "1.0"
        else { throw .notPSKC }
        try container.allowOnly([
            "EncryptionKey", "MACMethod", "KeyPackage", "Signature", "Extensions",
        ])
        _ = try container.child("Signature", in: [.pskc, .signature])
        let values = ValueReader(of: container, unlockedBy: unlock)
        let packages = container.children("KeyPackage")
        if packages.isEmpty { throw .missing("KeyPackage", line: container.line) }
        var keys: [Key] = []
        var ids: Set<String> = []
        for package in packages {
            guard let key = try Key(readingPackage: package, values) else { continue }
            if let id = key.id, !ids.insert(id).inserted {
                throw .duplicateKeyID(line: package.line)
            }
            keys.append(key)
        }
        self.init(id: try container.attribute("Id"), keys: keys)
    }
}

extension PSKCDocument.Key {
    typealias Failure = PSKCDocument.ReadingFailure

    /// Reads a package; returns nil if it has no key.
    fileprivate init?(readingPackage package: XMLElement, _ values: ValueReader) throws(Failure) {
        try package.allowOnly(["DeviceInfo", "CryptoModuleInfo", "Key", "Extensions"])
        let device = try package.child("DeviceInfo")
        let module = try package.child("CryptoModuleInfo")
        guard let key = try package.child("Key") else { return nil }
        try self.init(reading: key, values)
        if let device { self.device = try PSKCDocument.Device(reading: device) }
        if let module {
            try module.allowOnly(["Id", "Extensions"])
            cryptoModuleID = try module.requiredChild("Id").plainText()
        }
    }

    private init(reading key: XMLElement, _ values: ValueReader) throws(Failure) {
        try key.allowOnly([
            "Issuer", "AlgorithmParameters", "KeyProfileId", "KeyReference", "FriendlyName", "Data",
            "UserId", "Policy", "Extensions",
        ])
        self.init(
            id: try key.attribute("Id"),
            algorithm: try key.attribute("Algorithm").map(PSKCDocument.Algorithm.init),
            secret: nil
        )
        issuer = try key.childText("Issuer")
        userID = try key.childText("UserId")
        friendlyName = try key.childText("FriendlyName")
        profile = try key.childText("KeyProfileId")
        reference = try key.childText("KeyReference")
        if let parameters = try key.child("AlgorithmParameters") { try read(parameters) }
        if let data = try key.child("Data") { try read(data, values) }
        if let policy = try key.child("Policy") {
            self.policy = try PSKCDocument.Policy(reading: policy)
        }
    }

    private mutating func read(_ parameters: XMLElement) throws(Failure) {
        try parameters.allowOnly(["Suite", "ChallengeFormat", "ResponseFormat", "Extensions"])
        suite = try parameters.childText("Suite")
        if let format = try parameters.child("ChallengeFormat") {
            let minimum = try format.requiredNumberAttribute("Min")
            let maximum = try format.requiredNumberAttribute("Max")
            guard minimum <= maximum else { throw .malformed("Max", line: format.line) }
            challengeFormat = PSKCDocument.ChallengeFormat(
                format: try format.valueFormat(),
                lengths: minimum...maximum,
                hasCheckDigit: try format.checkDigit()
            )
        }
        if let format = try parameters.child("ResponseFormat") {
            responseFormat = PSKCDocument.ResponseFormat(
                format: try format.valueFormat(),
                length: try format.requiredNumberAttribute("Length"),
                hasCheckDigit: try format.checkDigit()
            )
        }
    }

    private mutating func read(_ data: XMLElement, _ values: ValueReader) throws(Failure) {
        try data.allowOnly(["Secret", "Counter", "Time", "TimeInterval", "TimeDrift"])
        secret = try data.child("Secret").map(values.secret)
        counter = try data.child("Counter").map(values.number).map(Counter.init)
        time = try data.child("Time").map(values.number)
        timeIntervalSeconds = try data.child("TimeInterval").map(values.number)
        timeDrift = try data.child("TimeDrift").map(values.number)
    }
}

extension PSKCDocument.Device {
    fileprivate init(reading device: XMLElement) throws(PSKCDocument.ReadingFailure) {
        try device.allowOnly([
            "Manufacturer", "SerialNo", "Model", "IssueNo", "DeviceBinding", "StartDate",
            "ExpiryDate", "UserId", "Extensions",
        ])
        manufacturer = try device.childText("Manufacturer")
        serialNumber = try device.childText("SerialNo")
        model = try device.childText("Model")
        issueNumber = try device.childText("IssueNo")
        binding = try device.childText("DeviceBinding")
        startDate = try device.childText("StartDate")
        expiryDate = try device.childText("ExpiryDate")
        userID = try device.childText("UserId")
    }
}

extension XMLElement {
    fileprivate func valueFormat() throws(Failure) -> PSKCDocument.ValueFormat {
        let name = try requiredAttribute("Encoding")
        guard let format = PSKCDocument.ValueFormat(rawValue: name) else {
            throw .malformed("Encoding", line: line)
        }
        return format
    }

    /// RFC 6030 has both spellings: the schema the plural, the text the singular.
    fileprivate func checkDigit() throws(Failure) -> Bool {
        let plural = try flagAttribute("CheckDigits")
        let singular = try flagAttribute("CheckDigit")
        if let plural, let singular, plural != singular {
            throw .malformed("CheckDigits", line: line)
        }
        return plural ?? singular ?? false
    }
}
