import CommandLineTool

/// What the bank wants signed besides, typed or in a file.
struct SigningData {
    static let text = Option<String?>("sign", value: "DATA", help: "What the bank wants signed.")
    static let file = Option<FilePath?>("sign-file", help: "A file with it; - is standard input.")

    private let text: String?
    private let file: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        text = try arguments[Self.text]
        file = try arguments[Self.file]
        guard text == nil || file == nil else {
            throw CommandFailure(.usage, "--sign and --sign-file exclude each other")
        }
    }

    /// Nil where nothing is given.
    func bytes() throws(CommandFailure) -> [UInt8]? {
        if let file { return try file.contents(atMost: 1 << 20) }
        return text.map { Array($0.utf8) }
    }
}
