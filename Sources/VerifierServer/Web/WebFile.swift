/// A file of the web device that this build may serve.
struct WebFile: Equatable, Sendable {
    /// Below the folder of files: `index.html`.
    ///
    /// A compressed copy has the path of its file and `.gz`.
    let path: String
    /// The media type; a compressed copy has the type of its file.
    let type: String
    /// In lower-case hexadecimal.
    let sha256: String
    /// Whether the path contains a hash of the content, so that browsers may keep the file.
    let isImmutable: Bool
}
