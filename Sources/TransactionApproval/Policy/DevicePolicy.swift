/// The rules of an enterprise for its devices.
package struct DevicePolicy: Equatable, Sendable {
    package let pin: PINPolicy
    package let authentication: AuthenticationTypes
    package let device: DeviceKind
    /// The schemes and hosts that a return URL may have.
    package let returnAddresses: [ReturnAddress]

    /// The kind of device that an activation is for.
    package enum DeviceKind: UInt8, CaseIterable, Sendable {
        case app = 1
        /// A web browser.
        case web
        /// A web browser that must mix the output of WebAuthn PRF into its secrets.
        case webWithPRF

        package var isWeb: Bool { self != .app }
    }

    /// A web device has no biometric authentication.
    package init(
        pin: PINPolicy,
        authentication: AuthenticationTypes,
        device: DeviceKind = .app,
        returnAddresses: [ReturnAddress]
    ) {
        self.pin = pin
        self.authentication = device.isWeb ? authentication.subtracting(.biometric) : authentication
        self.device = device
        self.returnAddresses = returnAddresses
    }

    package func allows(_ url: ReturnURL) -> Bool {
        returnAddresses.contains { $0.includes(url) }
    }

    package var bytes: [UInt8] {
        var writer = FieldWriter(.devicePolicy)
        writer.append(UInt8(pin.digitCounts.lowerBound))
        writer.append(UInt8(pin.digitCounts.upperBound))
        writer.append(authentication.rawValue)
        writer.append(device.rawValue)
        for address in returnAddresses { writer.append(address.text) }
        return writer.bytes
    }

    /// Nil for all bytes that `bytes` does not write.
    package init?(_ bytes: [UInt8]) {
        var reader = FieldReader(bytes)
        // The position of the error does not matter.
        guard
            (try? reader.text(atMost: 64)) == Label.devicePolicy.rawValue,
            let minimum = try? reader.byte(), let maximum = try? reader.byte(),
            let pin = PINPolicy(
                minimumDigits: Int(minimum),
                maximumDigits: Int(maximum),
                shortPINs: .allowed
            ),
            let types = try? reader.byte(),
            let device = (try? reader.byte()).flatMap(DeviceKind.init(rawValue:))
        else { return nil }
        let authentication = AuthenticationTypes(rawValue: types)
        let allowed = device.isWeb ? AuthenticationTypes.all.subtracting(.biometric) : .all
        guard !authentication.isEmpty, authentication.isSubset(of: allowed) else { return nil }
        var addresses: [ReturnAddress] = []
        while reader.offset < bytes.count {
            guard
                let text = try? reader.text(atMost: ReturnURL.maximumByteCount),
                let address = ReturnAddress(text)
            else { return nil }
            addresses.append(address)
        }
        self.init(
            pin: pin,
            authentication: authentication,
            device: device,
            returnAddresses: addresses
        )
    }
}

/// A scheme and a host that return URLs may have, or `https` with any host.
package struct ReturnAddress: Hashable, Sendable {
    private let scheme: String
    private let host: String

    /// Accepts `https://bank.example` without a path, and `https://*`.
    package init?(_ text: String) {
        // No host has this character.
        guard text != "https://*" else {
            (scheme, host) = ("https", "*")
            return
        }
        guard let url = ReturnURL(text), text == "\(url.scheme)://\(url.host)" else { return nil }
        (scheme, host) = (url.scheme, url.host)
    }

    package var text: String { "\(scheme)://\(host)" }
    package var hasAnyHost: Bool { host == "*" }

    package func includes(_ url: ReturnURL) -> Bool {
        scheme == url.scheme && (host == url.host || hasAnyHost)
    }
}
