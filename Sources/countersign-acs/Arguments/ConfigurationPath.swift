import CommandLineTool
import ConfigurationFiles

/// `--config`, for commands that read the configuration.
@propertyWrapper
struct ConfigurationPath: Sendable {
    private static let defaultPath = ConfigurationTable.acs.defaultPath

    @Option("config", help: "The configuration file. Default: \(defaultPath).")
    private var file: FilePath?

    var wrappedValue: String { file?.text ?? Self.defaultPath }
}
