import Cryptography
package import StrictJSON

/// The measurements of a device by an SDK: `{DV, DD, DPNA, SW}`.
///
/// Every parameter has a value or a reason why it has none. It describes a person's device, so it
/// is never printed.
package struct DeviceData: Sendable {
    /// `DV`: the version of the list of parameters.
    package var version: String
    /// `DD`: the values, in their order.
    package var values: [JSONValue.Member]
    /// `DPNA`: the parameters that are not available, each with a reason.
    package var unavailable: [JSONValue.Member]
    /// `SW`: the identifiers of security warnings, `SW01` to `SW05`.
    package var warnings: [String]

    package init(version: String) {
        self.version = version
        values = []
        unavailable = []
        warnings = []
    }

    /// Reads the element `deviceInfo`; nil if it is malformed.
    package init?(element: String) {
        // Malformed text is an expected input, so the reason is not needed.
        guard let bytes = try? TextEncoding.base64URL.decode(element) else { return nil }
        self.init(reading: bytes)
    }

    /// Reads the JSON text that is inside `deviceInfo` and `sdkEncData`; nil if it is malformed.
    package init?(reading bytes: [UInt8]) {
        // Malformed text is an expected input, so the reason is not needed.
        guard let document = try? JSONValue(reading: bytes, limits: Self.limits),
            case .object(let members) = document,
            let version = members.text(of: "DV"), version.hasLength(1...8),
            case .object(let values) = members.value(of: "DD"),
            case .object(let unavailable) = members.value(of: "DPNA") ?? .object([]),
            case .array(let warnings) = members.value(of: "SW") ?? .array([])
        else { return nil }
        self.version = version
        self.values = values
        self.unavailable = unavailable
        self.warnings = warnings.compactMap(\.text)
        guard self.warnings.count == warnings.count, isWellFormed else { return nil }
    }

    private var isWellFormed: Bool {
        let names = (values + unavailable).map(\.name)
        return names.allSatisfy(DeviceParameter.isIdentifier)
            && unavailable.allSatisfy { isReason($0.value.text ?? "") }
            && warnings.allSatisfy { $0.hasLength(4...4) }
    }

    /// A reason of a later list is as good as one of `DeviceParameter.Reason`.
    private func isReason(_ text: String) -> Bool {
        text.utf8.count == 4 && text.hasPrefix("RE") && hasOnlyDigits(String(text.dropFirst(2)))
    }

    package func written() throws(StrictJSON.Unwritable) -> [UInt8] {
        var members = [
            JSONValue.Member(name: "DV", value: .string(version)),
            JSONValue.Member(name: "DD", value: .object(values)),
        ]
        if !unavailable.isEmpty {
            members.append(.init(name: "DPNA", value: .object(unavailable)))
        }
        if !warnings.isEmpty {
            members.append(.init(name: "SW", value: .array(warnings.map { .string($0) })))
        }
        return try JSONValue.object(members).written()
    }

    /// 64,000 characters in base64url have 48,000 bytes.
    private static let limits = StrictJSON.Limits(byteCount: 48_000, depth: 8, valueCount: 4096)
}

extension DeviceData: CustomStringConvertible, CustomReflectable {
    package var description: String { "<device data>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
