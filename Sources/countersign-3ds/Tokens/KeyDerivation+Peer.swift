import CommandLineTool
import JOSE

/// A name of 1 to 64 characters.
struct ShortName: ArgumentValue {
    static let valueName = "NAME"
    static let expectation = "a name of 1 to 64 characters"

    let text: String

    init?(argument: String) {
        guard (1...64).contains(argument.unicodeScalars.count) else { return nil }
        text = argument
    }
}

/// `--for`, for keys of the kind EC.
@propertyWrapper
struct PeerOption: Sendable {
    @Option(
        "for",
        help: "Derive an EC key as EMV 3-D Secure does, for this directory server or SDK."
    )
    var wrappedValue: ShortName?

    init() {}
}

extension KeyDerivation {
    /// For a peer, EMV 3-D Secure derives 32 bytes from its name alone.
    ///
    /// Otherwise RFC 7518, section 4.6: the name of the cipher, without names of the parties.
    init(for peer: ShortName?, _ encryption: JWE.Encryption) {
        self.init(
            algorithmID: peer == nil ? Array(encryption.rawValue.utf8) : [],
            partyUInfo: [],
            partyVInfo: Array((peer?.text ?? "").utf8),
            byteCount: peer == nil ? encryption.keyByteCount : 32
        )
    }
}

extension CommandFailure {
    /// An option that would be without effect on this kind of key.
    static func notFor(_ option: String, _ kind: String) -> CommandFailure {
        CommandFailure(.usage, "\(option) is only for \(kind) keys")
    }
}
