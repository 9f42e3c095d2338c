import CommandLineTool
import JOSE

/// `--for`, for keys of the kind EC.
@propertyWrapper
struct PeerOption: Sendable {
    @Option(
        "for",
        value: "NAME",
        help: "Derive the key as EMV 3-D Secure does, for this directory server or SDK."
    )
    var wrappedValue: String?

    init() {}
}

extension KeyDerivation {
    /// For a peer, EMV 3-D Secure derives 32 bytes from its name alone.
    ///
    /// Otherwise RFC 7518, section 4.6: the name of the cipher, without names of the parties.
    init(for peer: String?, _ encryption: JWE.Encryption) {
        self.init(
            algorithmID: peer == nil ? Array(encryption.rawValue.utf8) : [],
            partyUInfo: [],
            partyVInfo: Array((peer ?? "").utf8),
            byteCount: peer == nil ? encryption.keyByteCount : 32
        )
    }
}
