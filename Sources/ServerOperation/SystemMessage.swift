import Glibc

/// The system's own text for an `errno`.
package func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }
