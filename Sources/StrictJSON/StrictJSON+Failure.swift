extension StrictJSON {
    /// Why a document was refused: says where, and never what stands there.
    package enum Failure: Error, Equatable, Sendable {
        /// The bytes are not JSON, or not JSON that is taken here.
        case malformed(Malformation, offset: Int)
        /// The document is not what the type reads.
        ///
        /// The path is a JSON pointer (RFC 6901) of names that the type asked for.
        case mismatch(Mismatch, path: String)
    }

    package enum Malformation: Equatable, Sendable {
        case invalidUTF8, byteOrderMark
        case unexpectedByte, unexpectedEnd, trailingBytes
        /// A number without the digits that its sign, point or exponent needs.
        case malformedNumber
        case malformedEscape, loneSurrogate, controlCharacter, nullCharacter
        /// The object that begins there has two members of one name.
        case repeatedName
        case tooLarge, tooDeep, tooManyValues
    }

    package enum Mismatch: Equatable, Sendable {
        case missing
        /// Another type than was asked for, `null`, or an integer that is out of range or not
        /// written as one.
        case wrongType
        /// The object or array holds more than the type asked for: this member or element, from 0 on.
        case unknownContent(number: Int)
        /// The type's own rule refused the value.
        case refused
    }

    /// Why a value was not written.
    package enum Unwritable: Error, Equatable, Sendable {
        /// A fraction, a dictionary, a set or nil, which would not be read either.
        case unsupportedType
        /// A type encoded nothing at all, or more than one thing.
        case notOneValue
        case repeatedName, nullCharacter
        /// The type's own `encode(to:)` failed.
        case refused
    }
}
