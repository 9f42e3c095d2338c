import Cryptography
package import JOSE

extension SecureChannel {
    /// The part of a channel that each message changes; it is not secret.
    package struct State: Equatable, Sendable {
        /// Nil at the ACS until the first CReq has chosen it.
        package private(set) var encryption: JWE.Encryption?
        /// How many messages this side sealed.
        package private(set) var sealed: Int
        /// How many messages of the other side this side opened.
        package private(set) var opened: Int
        /// Whether an error ended the channel for all later messages.
        package private(set) var isEnded: Bool
        /// Whether this side sealed a message after the last one that it opened, if there is one.
        package private(set) var hasResponded: Bool
        /// The SHA-256 of the last message that was opened.
        private var lastOpened: [UInt8]

        /// The SDK chooses the encryption; the ACS passes none.
        package init(choosing encryption: JWE.Encryption?) {
            self.encryption = encryption
            (sealed, opened, isEnded, hasResponded, lastOpened) = (0, 0, false, true, [])
        }

        /// Returns whether the bytes equal those of the last opened message.
        ///
        /// At the ACS, the sender did not get its response, so the same response is sent again.
        package func repeats(_ received: ReceivedToken) -> Bool { received.digest == lastOpened }

        mutating func addSealed() {
            sealed += 1
            hasResponded = true
        }

        mutating func addOpened(_ received: ReceivedToken, by encryption: JWE.Encryption) {
            lastOpened = received.digest
            opened += 1
            hasResponded = false
            self.encryption = encryption
        }

        mutating func end() { isEnded = true }
    }
}

// MARK: Storing

extension SecureChannel.State {
    /// The first byte of this form.
    private static let form: UInt8 = 1
    private static let ciphers: [JWE.Encryption?] = [nil, .a128CBCHS256, .a128GCM]

    /// One spelling for each state, so a store can compare states by their bytes.
    ///
    /// Fixed places: form, cipher, `isEnded`, `hasResponded`, both counts in two bytes, the digest.
    package var encoded: [UInt8] {
        let cipher = UInt8(Self.ciphers.firstIndex(of: encryption) ?? 0)
        let counts = [sealed, opened].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        return [Self.form, cipher, isEnded ? 1 : 0, hasResponded ? 1 : 0] + counts + lastOpened
    }

    /// Reads a stored state; nil if the bytes are not a possible one.
    package init?(encoded: [UInt8]) {
        guard encoded.count >= 8, encoded[0] == Self.form, encoded[1] < Self.ciphers.count,
            encoded[2] <= 1, encoded[3] <= 1
        else { return nil }
        encryption = Self.ciphers[Int(encoded[1])]
        isEnded = encoded[2] == 1
        hasResponded = encoded[3] == 1
        sealed = Int(encoded[4]) << 8 | Int(encoded[5])
        opened = Int(encoded[6]) << 8 | Int(encoded[7])
        lastOpened = Array(encoded[8...])
        guard max(sealed, opened) <= ChannelCounter.maximumMessages,
            encryption != nil || (sealed == 0 && opened == 0),
            opened == 0 ? hasResponded : !hasResponded || sealed > 0,
            lastOpened.count == (opened == 0 ? 0 : HashAlgorithm.sha256.byteCount)
        else { return nil }
    }
}
