extension Program {
    /// The version of both programs.
    ///
    /// Archives, manual pages and the Debian package get it from `--version`.
    package static let release = "0.2.0"
}
