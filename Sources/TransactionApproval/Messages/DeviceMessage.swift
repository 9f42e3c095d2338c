package import StrictJSON

/// The body of a request or of an answer, in JSON.
///
/// What is read is exactly what is written: nothing unknown, missing, repeated, null or of another
/// type, and nothing that a value's own rule refuses.
package protocol DeviceMessage: Codable, Equatable, Sendable {
    static var limits: StrictJSON.Limits { get }
}

extension DeviceMessage {
    package static var limits: StrictJSON.Limits { .message }

    package init(reading body: [UInt8]) throws(StrictJSON.Failure) {
        self = try StrictJSON.decode(from: body, limits: Self.limits)
    }

    /// Fails for a moment that JSON does not hold, which no real one is.
    package var written: [UInt8] {
        get throws(StrictJSON.Unwritable) { try StrictJSON.encode(self) }
    }
}

/// A message that says nothing but that it is there.
package struct NoContent: DeviceMessage {
    package init() {}

    // What the compiler would make reads an object of no members from anything at all.
    package init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Name.self)
    }

    package func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: Name.self)
    }

    private enum Name: CodingKey {}
}

/// A message that there never is: where nothing but a refusal is said in one.
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
