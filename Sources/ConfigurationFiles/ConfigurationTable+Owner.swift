package import CommandLineTool
import PrivateFiles

extension ConfigurationTable {
    /// Keeps root from using the files of a server of another user.
    ///
    /// Root would add files that the server cannot use, such as the log of SQLite.
    package func checkOwner(of paths: [String]) throws(CommandFailure) {
        guard let file = ForeignFile.first(among: paths) else { return }
        let variables = Environment.variables(beginningWith: prefix).keys
        // By default, sudo removes the variables.
        let keeping =
            variables.isEmpty ? [] : ["--preserve-env=\(variables.sorted().joined(separator: ","))"]
        let words = ["sudo"] + keeping + ["-u", file.owner]
        let command = words.map(\.shellWord).joined(separator: " ") + " " + CommandLine.shellText
        throw CommandFailure(
            .noPermission,
            "\(file.path) belongs to \(file.owner)",
            hint: "run this as \(file.owner): \(command)"
        )
    }
}
