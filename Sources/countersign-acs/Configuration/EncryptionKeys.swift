import CommandLineTool
import ConfigurationFiles
import Sealing
import ServerOperation

/// The place of the keys that encrypt the secrets in the store.
struct EncryptionKeys: Sendable {
    /// The path, or `descriptor:N`.
    let text: String
    let source: KeyFile.Source

    /// Opens a descriptor that the parent process passed.
    init(_ text: String, from manager: ServiceManager) throws(CommandFailure) {
        self.text = text
        if let descriptor = KeyDescriptor(text) {
            source = .descriptor(try descriptor.opened(by: manager))
        } else {
            source = .file(text)
        }
    }

    /// Nil for a descriptor.
    var file: String? {
        if case .file(let path) = source { path } else { nil }
    }
}
