/// The address of a verifier: `https://host`, with a port unless it is 443.
///
/// Plain HTTP is valid only for loopback. There is one spelling for each origin, because signatures
/// cover it.
package struct ServerOrigin: Hashable, Sendable {
    package let text: String

    package static let maximumByteCount = 300

    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        let isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://") else { return nil }
        let parts = Array(text.utf8).dropFirst(isSecure ? 8 : 7)
            .split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard
            isHost(parts[0]),
            isSecure || namesLoopback(parts[0]),
            parts.count == 1 || isPort(parts[1], default: isSecure ? 443 : 80)
        else { return nil }
        self.text = text
    }

    /// Without scheme and port.
    package var host: String {
        String(text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != ":" })
    }

    /// Whether its host is the machine of the client.
    package var isLoopback: Bool { namesLoopback(host.utf8) }
}

extension ServerOrigin: CustomStringConvertible {
    package var description: String { text }
}

private func namesLoopback(_ host: some Sequence<UInt8>) -> Bool {
    host.elementsEqual("localhost".utf8) || host.elementsEqual("127.0.0.1".utf8)
}

/// Digits without a leading zero, and not the default port.
private func isPort(_ characters: ArraySlice<UInt8>, default defaultPort: UInt16) -> Bool {
    let text = String(decoding: characters, as: UTF8.self)
    guard let port = UInt16(text), String(port) == text else { return false }
    return port != 0 && port != defaultPort
}
