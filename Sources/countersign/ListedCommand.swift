import CommandLineTool

/// Until each command declares its parameters as properties; see `CommandLineTool.Command`.
typealias Command = ListedCommand
