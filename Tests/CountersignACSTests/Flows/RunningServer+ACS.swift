import ProgramTesting

extension RunningServer {
    /// `countersign-acs run`; `launcher` are words of a command that runs the program after them.
    convenience init(acs configuration: String, by launcher: [String] = []) throws {
        try self.init(
            launcher + [ACSFolder.program, "run", "--config", configuration],
            until: #""message":"started""#
        )
    }
}
