import CommandLineTool

extension FilePath {
    /// Refuses a command line that reads standard input twice: the second read would be empty.
    static func checkStandardInput(of files: [FilePath?]) throws(CommandFailure) {
        guard files.count(where: { $0?.text == "-" }) > 1 else { return }
        throw CommandFailure(.usage, "- can be given only once")
    }
}
