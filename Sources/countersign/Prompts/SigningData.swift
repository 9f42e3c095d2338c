import CommandLineTool

/// The data that a login or a code confirms, typed or in a file.
struct SigningData: Sendable {
    @Option(
        "sign",
        value: localized("DATA", german: "DATEN"),
        help: localized("The data to sign.", german: "Die Daten, die Sie signieren.")
    )
    private var text: String?
    @Option(
        "sign-file",
        help: localized(
            "A file with the data to sign; - is standard input.",
            german: "Eine Datei mit den Daten, die Sie signieren; - ist die Standardeingabe."
        )
    )
    private var file: FilePath?

    func validate() throws(CommandFailure) {
        guard text == nil || file == nil else {
            let message = localized(
                "use either --sign or --sign-file",
                german: "entweder --sign oder --sign-file"
            )
            throw CommandFailure(.usage, message)
        }
    }

    /// Nil if neither option is given.
    func bytes() throws(CommandFailure) -> [UInt8]? {
        if let file { return try file.contents(atMost: 1 << 20) }
        return text.map { Array($0.utf8) }
    }
}
