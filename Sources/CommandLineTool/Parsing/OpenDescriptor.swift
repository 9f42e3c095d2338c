import Glibc

/// A file descriptor that the parent process opened.
///
/// It is checked while the command line is parsed: later the same number may belong to another
/// file. A terminal is rejected because it would show the secret.
package struct OpenDescriptor: ArgumentValue {
    package static let valueName = "N"
    package static var expectation: String {
        localized(
            "an open file descriptor, as in 3<FILE, and not a terminal",
            german: "einen offenen Dateideskriptor, wie 3<DATEI, und kein Terminal"
        )
    }

    package let number: Int32

    package init?(argument: String) {
        guard let number = Int32(argument), fcntl(number, F_GETFD) == 0, isatty(number) == 0
        else { return nil }
        self.number = number
    }
}
