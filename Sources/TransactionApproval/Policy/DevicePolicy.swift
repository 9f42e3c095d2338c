/// The rules of an enterprise for its devices.
package struct DevicePolicy: Equatable, Sendable {
    package let pin: PINPolicy
    package let authentication: AuthenticationTypes
    /// The schemes and hosts that a return URL may have.
    package let returnAddresses: [ReturnAddress]

    package init(
        pin: PINPolicy,
        authentication: AuthenticationTypes,
        returnAddresses: [ReturnAddress]
    ) {
        self.pin = pin
        self.authentication = authentication
        self.returnAddresses = returnAddresses
    }

    package var bytes: [UInt8] {
        var writer = FieldWriter(.devicePolicy)
        writer.append(UInt8(pin.digitCounts.lowerBound))
        writer.append(UInt8(pin.digitCounts.upperBound))
        writer.append(authentication.rawValue)
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
            let types = try? reader.byte()
        else { return nil }
        let authentication = AuthenticationTypes(rawValue: types)
        guard !authentication.isEmpty, authentication.isSubset(of: .all) else { return nil }
        var addresses: [ReturnAddress] = []
        while reader.offset < bytes.count {
            guard
                let text = try? reader.text(atMost: ReturnURL.maximumByteCount),
                let address = ReturnAddress(text)
            else { return nil }
            addresses.append(address)
        }
        self.init(pin: pin, authentication: authentication, returnAddresses: addresses)
    }
}

/// A scheme and a host that return URLs may have.
package struct ReturnAddress: Hashable, Sendable {
    package let scheme: String
    package let host: String

    /// Accepts `https://bank.example` without a path.
    package init?(_ text: String) {
        guard let url = ReturnURL(text), text == "\(url.scheme)://\(url.host)" else { return nil }
        self.init(of: url)
    }

    package init(of url: ReturnURL) {
        scheme = url.scheme
        host = url.host
    }

    package var text: String { "\(scheme)://\(host)" }
}
