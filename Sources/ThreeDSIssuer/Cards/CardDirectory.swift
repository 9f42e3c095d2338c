package import ThreeDSProtocol

/// A directory server that sends AReqs, with the cards that the issuer has under its scheme.
package struct CardDirectory: Sendable {
    /// The name in the configuration, which also has the certificates of the directory.
    package let id: DirectoryID
    /// For the messages that contain an authentication value.
    package let eci: ECI
    /// For the messages that reject a payment.
    package let rejectedECI: ECI
    private let ranges: [CardRange]
    private let versions: [ProtocolVersion]

    /// Nil without a range, or without a known version from `start` to `end`.
    package init?(
        _ id: DirectoryID,
        ranges: [CardRange],
        versionsFrom start: String,
        to end: String,
        eci: ECI = .authenticated,
        rejectedECI: ECI = .notAuthenticated
    ) {
        versions = ProtocolVersion.range(from: start, to: end)
        guard !ranges.isEmpty, !versions.isEmpty else { return nil }
        self.id = id
        self.ranges = ranges
        self.eci = eci
        self.rejectedECI = rejectedECI
    }

    /// Reads the messages that this directory sends.
    package var reader: MessageReader { MessageReader(for: .acs, versions: versions) }

    /// Whether the number can be one of the issuer's cards under this scheme.
    package func includes(_ number: CardNumber) -> Bool {
        ranges.contains { $0.contains(number) }
    }
}

/// The registered application provider identifier of a scheme (ISO/IEC 7816-5): five bytes in
/// hexadecimal digits, such as `A000000003`.
package struct DirectoryID: Hashable, Sendable {
    let text: String

    package init?(_ text: String) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "A")...UInt8(ascii: "F")
        guard text.utf8.count == 10,
            text.utf8.allSatisfy({ digits.contains($0) || letters.contains($0) })
        else { return nil }
        self.text = text
    }
}

/// The electronic commerce indicator of a payment.
///
/// Each scheme defines its own two digits. The ACS sends it with the results Y and N.
package struct ECI: Hashable, Sendable {
    let digits: String

    package static let authenticated = ECI(checked: "05")
    package static let notAuthenticated = ECI(checked: "07")

    package init?(_ digits: String) {
        guard digits.utf8.count == 2,
            digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        self.init(checked: digits)
    }

    private init(checked digits: String) {
        self.digits = digits
    }
}
