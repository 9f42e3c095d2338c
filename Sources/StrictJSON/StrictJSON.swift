/// JSON (RFC 8259) as security needs it: one spelling of what is meant, or a refusal.
///
/// Names the module too: nothing needs to be looked up through the module's name.
package enum StrictJSON {
    /// Reads exactly `type`: a member or element that it does not ask for is refused, and so is
    /// `null`, since leaving a member out is the one way to say nothing.
    ///
    /// Fractions, dictionaries and sets are not read: amounts are integers, and names that no type
    /// knows or values that are dropped are what this exists to refuse.
    package static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from bytes: [UInt8],
        limits: Limits = .message
    ) throws(Failure) -> Value {
        let value = try JSONValue(reading: bytes, limits: limits)
        do {
            return try ValueDecoder.decode(type, from: value)
        } catch let failure as Failure {
            throw failure
        } catch {
            // The decoder lets no other error out; `Decodable` cannot say so.
            throw .mismatch(.refused, path: "")
        }
    }

    /// Writes members in the order in which `value` encodes them, without white space.
    package static func encode(_ value: some Encodable) throws(Unwritable) -> [UInt8] {
        do {
            return try ValueEncoder.encode(value).written()
        } catch let failure as Unwritable {
            throw failure
        } catch {
            throw .refused
        }
    }
}
