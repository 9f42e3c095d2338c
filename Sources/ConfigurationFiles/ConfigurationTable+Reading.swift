package import CommandLineTool
import StrictJSON

extension ConfigurationTable {
    /// Reads the file and the environment variables that override its members.
    ///
    /// Relative paths start at the folder of the file, also those in variables. Every command that
    /// uses the files of the configuration comes here first, so root is stopped here.
    package func read<Configuration>(
        fileAt path: String,
        _ parse: (ConfigurationSection) throws(ConfigurationFailure) -> Configuration
    ) throws(CommandFailure) -> Configuration {
        try checkOwner(of: [path])
        let bytes = CommentedJSON(try ConfigurationFile(path, of: self).contents()).blanked
        let variables = try ConfigurationVariables.ofEnvironment(for: self)
        do throws(ConfigurationFailure) {
            let document = variables.applied(to: try JSONValue(configuration: bytes))
            return try parse(
                try ConfigurationSection(document, table: members, folder: folder(of: path))
            )
        } catch {
            // The error can be in any of the sources.
            let sources = variables.names.map { "\(path), with \($0)" } ?? path
            throw malformed(sources, error.message)
        }
    }

    package func malformed(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(.malformedInput, "\(path): \(reason)")
            .suggesting("\(program) help init shows a complete configuration")
    }
}

extension JSONValue {
    fileprivate init(configuration bytes: [UInt8]) throws(ConfigurationFailure) {
        do throws(StrictJSON.Failure) {
            try self.init(reading: bytes, limits: .message)
        } catch {
            throw ConfigurationFailure(error.reason(in: bytes))
        }
    }
}
