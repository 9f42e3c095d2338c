/// The parameters of OCRA codes, read from a name by the grammar of RFC 6287, section 6.
///
/// Reading is strict: no defaults, and one spelling for each suite. The name itself is hashed into
/// every code.
public struct OCRASuite: Sendable {
    /// The characters that a question may contain.
    public enum QuestionFormat: Character, Sendable {
        case alphanumeric = "A"
        case numeric = "N"
        case hexadecimal = "H"
    }

    public let name: String
    public let algorithm: HMACAlgorithm
    /// 4 to 9, or 0 for the whole MAC.
    public let digitCount: Int
    public let takesCounter: Bool
    public let questionFormat: QuestionFormat
    /// The maximum count of characters in one question.
    public let questionLength: Int
    public let pinAlgorithm: HMACAlgorithm?
    public let sessionByteCount: Int?
    public let timeStepSeconds: Int?

    /// The name and the zero byte after it, as they are hashed.
    let prefix: [UInt8]

    public init(_ name: String) throws(Failure) {
        guard name.utf8.count <= Self.maximumNameByteCount else { throw .tooLong }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .notThreeParts }
        guard parts[0] == "OCRA-1" else { throw .unknownVersion }
        (algorithm, digitCount) = try Self.cryptoFunction(parts[1])

        var fields = parts[2].split(separator: "-", omittingEmptySubsequences: false)[...]
        takesCounter = fields.first == "C"
        if takesCounter { fields.removeFirst() }
        guard let question = fields.popFirst() else { throw .malformedQuestion }
        (questionFormat, questionLength) = try Self.question(question)
        pinAlgorithm = try fields.popField("P", Self.pin)
        sessionByteCount = try fields.popField("S", Self.session)
        timeStepSeconds = try fields.popField("T", Self.timeStep)
        guard fields.isEmpty else { throw .unexpectedField }
        self.name = name
        prefix = Array(name.utf8) + [0]
    }

    // OCRA-1:HOTP-SHA512-9:C-QN64-PSHA512-S512-T59M
    private static let maximumNameByteCount = 45

    /// The count of elapsed time steps (RFC 6287, section 6.3); nil for a suite without time.
    public func timeSteps(secondsSince1970 seconds: UInt64) -> UInt64? {
        timeStepSeconds.map { seconds / UInt64($0) }
    }
}

extension OCRASuite {
    public enum Failure: Error, Equatable, Sendable {
        case tooLong
        case notThreeParts
        case unknownVersion
        case malformedCryptoFunction
        case malformedQuestion
        case malformedPIN
        case malformedSession
        case malformedTimeStep
        /// A field is unknown, repeated, empty or out of order.
        case unexpectedField
    }
}

// MARK: Grammar by field

extension OCRASuite {
    private static func cryptoFunction(
        _ text: Substring
    ) throws(Failure) -> (HMACAlgorithm, digitCount: Int) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard
            parts.count == 3, parts[0] == "HOTP",
            let algorithm = HMACAlgorithm(rawValue: String(parts[1])),
            let digits = decimalNumber(parts[2]),
            // Ten digits would make some codes likelier than others (erratum 3730).
            digits == 0 || (4...9).contains(digits)
        else { throw .malformedCryptoFunction }
        return (algorithm, Int(digits))
    }

    private static func question(
        _ text: Substring
    ) throws(Failure) -> (QuestionFormat, length: Int) {
        let length = text.dropFirst(2)
        guard
            text.first == "Q", let letter = text.dropFirst().first,
            let format = QuestionFormat(rawValue: letter),
            length.utf8.count == 2, let number = paddedNumber(length),
            (4...64).contains(number)
        else { throw .malformedQuestion }
        return (format, number)
    }

    private static func pin(_ text: Substring) throws(Failure) -> HMACAlgorithm {
        guard let algorithm = HMACAlgorithm(rawValue: String(text)) else { throw .malformedPIN }
        return algorithm
    }

    private static func session(_ text: Substring) throws(Failure) -> Int {
        guard
            text.utf8.count == 3, let count = paddedNumber(text), (1...512).contains(count)
        else { throw .malformedSession }
        return count
    }

    /// Seconds and minutes up to 59, hours from 1 to 48 (erratum 3729).
    private static func timeStep(_ text: Substring) throws(Failure) -> Int {
        guard let count = decimalNumber(text.dropLast()), count > 0 else {
            throw .malformedTimeStep
        }
        switch (text.last, count) {
        case ("S", ...59): return Int(count)
        case ("M", ...59): return Int(count) * 60
        case ("H", ...48): return Int(count) * 3600
        default: throw .malformedTimeStep
        }
    }

    private static func paddedNumber(_ text: Substring) -> Int? {
        text.utf8.allSatisfy(isDecimalDigit) ? Int(text) : nil
    }
}

extension ArraySlice<Substring> {
    /// Removes the next field if it starts with `letter`.
    fileprivate mutating func popField<Value>(
        _ letter: Character,
        _ read: (Substring) throws(OCRASuite.Failure) -> Value
    ) throws(OCRASuite.Failure) -> Value? {
        guard let field = first, field.first == letter else { return nil }
        removeFirst()
        return try read(field.dropFirst())
    }
}

extension OCRASuite: Hashable {
    public static func == (left: OCRASuite, right: OCRASuite) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension OCRASuite: CustomStringConvertible {
    public var description: String { name }
}
