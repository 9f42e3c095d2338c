/// A condition that makes this device less secure.
///
/// Warnings never block an operation (SEC-67).
public enum DeviceWarning: String, CaseIterable, Sendable {
    case debuggerAttached
    case runsAsRoot
    /// A crash may write secrets to the disk.
    case coreDumpsOn
    /// Other users can read or replace the vault.
    case vaultOpenToOthers
    /// Memory may be written to an unencrypted disk.
    case swapNotEncrypted
}
