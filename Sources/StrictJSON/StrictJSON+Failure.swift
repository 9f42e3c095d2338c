extension StrictJSON {
    /// The reason and the place of a refusal; it never contains the input.
    package enum Failure: Error, Equatable, Sendable {
        /// The bytes are not JSON, or break one of the rules here.
        case malformed(Malformation, offset: Int)
        /// The document does not match the type.
        ///
        /// The path is a JSON pointer (RFC 6901) of names that the type reads.
        case mismatch(Mismatch, path: String)
    }

    package enum Malformation: Equatable, Sendable {
        case invalidUTF8, byteOrderMark
        case unexpectedByte, unexpectedEnd, trailingBytes
        /// A number lacks the digits after its sign, point or exponent.
        case malformedNumber
        case malformedEscape, loneSurrogate, controlCharacter, nullCharacter
        /// The object that begins there has two members of the same name.
        case repeatedName
        case tooLarge, tooDeep, tooManyValues
    }

    package enum Mismatch: Equatable, Sendable {
        case missing
        /// The value has another type, is `null`, or is an integer out of range or not written as
        /// an integer.
        case wrongType
        /// The object or array has a member or an element (from 0) that the type does not read.
        case unknownContent(number: Int)
        /// The type's own rule rejected the value.
        case refused
    }

    /// The reason why a value cannot be written.
    package enum Unwritable: Error, Equatable, Sendable {
        /// A fraction, a dictionary, a set or nil, which could not be read either.
        case unsupportedType
        /// A type encoded no value, or more than one.
        case notOneValue
        case repeatedName, nullCharacter
        /// The type's own `encode(to:)` failed.
        case refused
    }
}
