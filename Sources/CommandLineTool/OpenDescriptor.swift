import Glibc

/// A descriptor that was open when the program began: later, its number may be that of any file.
///
/// It is no terminal, which would show what comes through it.
package struct OpenDescriptor: ArgumentValue {
    package static let valueName = "N"
    package static let expectation = "a descriptor that is open, as by 3<FILE, and no terminal"

    package let number: Int32

    package init?(argument: String) {
        guard let number = Int32(argument), fcntl(number, F_GETFD) == 0, isatty(number) == 0
        else { return nil }
        self.number = number
    }
}
