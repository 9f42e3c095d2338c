package import StrictJSON

/// The JSON body of a request or a response.
///
/// Reading is strict: no unknown, missing, repeated or null member, no other type, and no value
/// that breaks its rule.
package protocol DeviceMessage: Codable, Equatable, Sendable {
    static var limits: StrictJSON.Limits { get }
}

extension DeviceMessage {
    package static var limits: StrictJSON.Limits { .message }

    package init(reading body: [UInt8]) throws(StrictJSON.Failure) {
        self = try StrictJSON.decode(from: body, limits: Self.limits)
    }

    /// Throws only for a time that JSON cannot represent.
    package var written: [UInt8] {
        get throws(StrictJSON.Unwritable) { try StrictJSON.encode(self) }
    }
}

/// The empty object.
package struct NoContent: DeviceMessage {
    package init() {}

    // The synthesized initializer would accept any value.
    package init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Name.self)
    }

    package func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: Name.self)
    }

    private enum Name: CodingKey {}
}

/// No response: the route returns only a refusal or a stream.
package enum NoMessage: DeviceMessage {
    package init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "no message is expected")
        )
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {}
    }
}
