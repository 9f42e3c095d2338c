/// JSON (RFC 8259) for security protocols: each document has exactly one meaning, or is refused.
///
/// It has the module's name on purpose: no other code needs the qualified name.
package enum StrictJSON {
    /// Reads exactly `type`.
    ///
    /// An unread member or element is refused, and so is `null`: an optional member is omitted
    /// instead. Fractions, dictionaries and sets are not supported, because they would round or
    /// drop values.
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
            // The decoder throws no other error; `Decodable` cannot declare this.
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
