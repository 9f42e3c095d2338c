extension PSKCDocument.Policy {
    typealias Failure = PSKCDocument.ReadingFailure

    init(reading policy: XMLElement) throws(Failure) {
        startDate = try policy.childText("StartDate")
        expiryDate = try policy.childText("ExpiryDate")
        if let number = try policy.child("NumberOfTransactions") {
            numberOfTransactions = try number.number()
        }
        for element in policy.children("KeyUsage") {
            if let usage = PSKCDocument.Usage(rawValue: try element.plainText()) {
                usages.append(usage)
            } else {
                isUnderstood = false
            }
        }
        if let pin = try policy.child("PINPolicy") { try read(pin) }
        if !policy.children.allSatisfy(Self.isKnown) { isUnderstood = false }
    }

    private static func isKnown(_ element: XMLElement) -> Bool {
        let known = ["StartDate", "ExpiryDate", "NumberOfTransactions", "KeyUsage", "PINPolicy"]
        return element.namespace == .pskc && known.contains(element.name)
    }

    private mutating func read(_ element: XMLElement) throws(Failure) {
        var pin = PSKCDocument.PINPolicy()
        pin.keyID = try element.attribute("PINKeyId")
        pin.minimumLength = try element.numberAttribute("MinLength")
        pin.maximumLength = try element.numberAttribute("MaxLength")
        pin.maximumFailedAttempts = try element.numberAttribute("MaxFailedAttempts")
        pin.usageMode = element.attributes["PINUsageMode"].flatMap { .init(rawValue: $0) }
        pin.format = element.attributes["PINEncoding"].flatMap { .init(rawValue: $0) }
        self.pin = pin

        var unknown = Set(element.attributes.keys)
        unknown.subtract(["PINKeyId", "MinLength", "MaxLength", "MaxFailedAttempts"])
        if pin.usageMode != nil { unknown.remove("PINUsageMode") }
        if pin.format != nil { unknown.remove("PINEncoding") }
        if !unknown.isEmpty || !element.children.isEmpty { isUnderstood = false }
    }
}
