import Glibc
import PrivateFiles

/// The path of a file.
package struct FilePath: ArgumentValue, Equatable {
    package static var valueName: String { localized("FILE", german: "DATEI") }
    package static var expectation: String { localized("a file name", german: "einen Dateinamen") }
    package static let candidates = Candidates.files

    package let text: String

    package init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }
}

extension FilePath {
    /// Its name in messages.
    package var shownName: String {
        text == "-" ? localized("standard input", german: "Standardeingabe") : visible(text)
    }

    /// The whole file, or standard input if the path is `-`.
    ///
    /// Reading stops at `limit`: a device may have no end.
    package func contents(atMost limit: Int) throws(CommandFailure) -> [UInt8] {
        let number =
            text == "-"
            ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(text, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw .cannotOpen(shownName) }
        do throws(FileFailure) {
            return try FileDescriptor(number).rest(atMost: limit)
        } catch .tooLarge {
            let size = limit >> 20 > 0 ? "\(limit >> 20) MiB" : "\(limit >> 10) KiB"
            let message = localized(
                "\(shownName) is larger than \(size)",
                german: "\(shownName) ist größer als \(size)"
            )
            throw CommandFailure(.malformedInput, message)
        } catch {
            throw .cannotRead(shownName, error)
        }
    }
}

extension CommandFailure {
    /// In German without a cause, unless it is of the system: descriptions of failures are in English.
    static func cannotRead(
        _ name: String,
        _ failure: FileFailure,
        exitCode: ExitCode = .inputOutput
    ) -> CommandFailure {
        var german = "\(name) ist nicht lesbar"
        if case .errorNumber(let number) = failure {
            german += ": \(String(cString: strerror(number)))"
        }
        return CommandFailure(
            exitCode,
            localized("cannot read \(name): \(failure)", german: german)
        )
    }

    /// Translates `errno`.
    static func cannotOpen(_ name: String) -> CommandFailure {
        let isDenied = [EACCES, EPERM].contains(errno)
        let reason = String(cString: strerror(errno))
        return CommandFailure(
            isDenied ? .noPermission : .noInput,
            localized(
                "cannot open \(name): \(reason)",
                german: "\(name) lässt sich nicht öffnen: \(reason)"
            ),
            hint: isDenied
                ? localized(
                    "check the owner and the permissions of the file and its folder",
                    german: "prüfen Sie Eigentümer und Rechte der Datei und ihres Ordners"
                ) : nil
        )
    }
}
