import OneTimePassword

extension OTPAuthURI {
    public init(_ text: String) throws(Failure) {
        guard text.utf8.count <= Self.maximumByteCount else { throw .malformedURI }
        let parts = try Parts(text)
        let parameters = try Parameters(parts.query)
        let (prefix, label) = try Self.names(inLabel: try unescaped(parts.label))
        try self.init(
            kind: try parameters.kind(parts.kind),
            label: label,
            issuer: try Self.agreed(prefix, try parameters.issuer()),
            secret: try parameters.secret(),
            algorithm: try parameters.algorithm(),
            digits: try parameters.digits()
        )
    }

    private static let maximumByteCount = 4096

    /// Splits `issuer:account`; spaces after the colon are not part of the account.
    private static func names(
        inLabel label: String
    ) throws(Failure) -> (issuer: String?, label: String) {
        // By scalars: a colon with a combining mark is not the `Character` for a colon.
        let scalars = label.unicodeScalars
        guard let colon = scalars.firstIndex(of: ":") else { return (nil, label) }
        let issuer = String(scalars[..<colon])
        guard isName(issuer) else { throw .invalidLabel }
        let account = scalars[scalars.index(after: colon)...].drop { $0 == " " }
        return (issuer, String(account))
    }

    private static func agreed(
        _ prefix: String?,
        _ parameter: String?
    ) throws(Failure) -> String? {
        guard let prefix, let parameter else { return prefix ?? parameter }
        // Byte by byte: a name that only looks alike is another issuer.
        guard prefix.utf8.elementsEqual(parameter.utf8) else { throw .contradictoryIssuer }
        return prefix
    }
}

/// The three parts of `otpauth://kind/label?query`, still escaped.
private struct Parts {
    let kind: String
    let label: Substring
    let query: Substring

    init(_ text: String) throws(OTPAuthURI.Failure) {
        let scheme = "otpauth://"
        guard
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !text.contains("#"),
            text.prefix(scheme.count).lowercased() == scheme
        else { throw .malformedURI }
        let rest = text.dropFirst(scheme.count)
        guard let slash = rest.firstIndex(of: "/"), let mark = rest.firstIndex(of: "?"),
            slash < mark
        else { throw .malformedURI }
        kind = rest[..<slash].lowercased()
        label = rest[rest.index(after: slash)..<mark]
        query = rest[rest.index(after: mark)...]
        guard kind == "hotp" || kind == "totp", !label.contains("/") else { throw .malformedURI }
    }
}

/// The known parameters, each at most once.
private struct Parameters {
    private var values: [OTPAuthURI.Parameter: String] = [:]

    init(_ query: Substring) throws(OTPAuthURI.Failure) {
        for pair in query.split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = OTPAuthURI.Parameter(rawValue: try unescaped(parts[0])) else {
                continue
            }
            guard parts.count == 2 else { throw .invalidValue(name) }
            guard values.updateValue(try unescaped(parts[1]), forKey: name) == nil else {
                throw .duplicate(name)
            }
        }
    }

    func kind(_ text: String) throws(OTPAuthURI.Failure) -> OTPAuthURI.Kind {
        if text == "hotp" {
            guard let counter = Counter(try required(.counter)) else {
                throw .invalidValue(.counter)
            }
            return .hotp(counter: counter)
        }
        return .totp(periodSeconds: try number(.period) ?? 30)
    }

    func secret() throws(OTPAuthURI.Failure) -> SecretBytes {
        let text = try required(.secret)
        do throws(Secret.Failure) {
            return try SecretBytes(base32: text)
        } catch {
            if case .system(let failure) = error { throw .system(failure) }
            throw .invalidValue(.secret)
        }
    }

    func issuer() throws(OTPAuthURI.Failure) -> String? { values[.issuer] }

    func algorithm() throws(OTPAuthURI.Failure) -> HMACAlgorithm {
        guard let text = values[.algorithm] else { return .sha1 }
        guard let algorithm = HMACAlgorithm(rawValue: text.uppercased()) else {
            throw .invalidValue(.algorithm)
        }
        return algorithm
    }

    func digits() throws(OTPAuthURI.Failure) -> HOTP.Digits {
        guard let digits = HOTP.Digits(rawValue: try number(.digits) ?? 6) else {
            throw .invalidValue(.digits)
        }
        return digits
    }

    private func required(_ name: OTPAuthURI.Parameter) throws(OTPAuthURI.Failure) -> String {
        guard let value = values[name] else { throw .missing(name) }
        return value
    }

    private func number(_ name: OTPAuthURI.Parameter) throws(OTPAuthURI.Failure) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = decimalNumber(text), let value = Int(exactly: number) else {
            throw .invalidValue(name)
        }
        return value
    }
}
