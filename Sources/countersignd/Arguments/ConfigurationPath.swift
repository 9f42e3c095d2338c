import CommandLineTool

/// `--config`, for commands that read the configuration.
@propertyWrapper
struct ConfigurationPath: Sendable {
    @Option("config", help: "The configuration file. Default: \(Configuration.defaultPath).")
    private var file: FilePath?

    var wrappedValue: String { file?.text ?? Configuration.defaultPath }
    var isGiven: Bool { file != nil }
}
