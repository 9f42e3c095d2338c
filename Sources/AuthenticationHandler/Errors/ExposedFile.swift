/// A file or folder of the vault that other users can access, or the folder that holds the vault.
public struct ExposedFile: Equatable, Sendable {
    public let path: String
    public let isFolder: Bool
    /// Other users can write to this folder, and so replace the vault.
    package var holdsVault = false
}
