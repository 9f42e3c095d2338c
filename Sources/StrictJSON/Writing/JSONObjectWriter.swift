/// Writes an object member by member, without a tree of values.
///
/// The names must differ: unlike `JSONValue.written`, it does not compare them.
package struct JSONObjectWriter {
    private var writer = JSONWriter()
    private var isEmpty = true

    package init() {}

    package mutating func append(
        _ name: String,
        _ value: JSONValue
    ) throws(StrictJSON.Unwritable) {
        try writer.append(name, value, isFirst: isEmpty)
        isEmpty = false
    }

    /// A line with the object, which needs at least one member.
    package consuming func line() -> [UInt8] {
        writer.append("}\n")
        return writer.bytes
    }
}
