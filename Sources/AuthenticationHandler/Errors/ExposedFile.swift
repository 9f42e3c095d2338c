/// A file or folder of the vault that other users can access.
public struct ExposedFile: Equatable, Sendable {
    public let path: String
    public let isFolder: Bool
}
