import HTTPServer
import ServerOperation

/// The paths of the web device: the files of the list, and the keys of this verifier.
///
/// The whole target is compared, so a query, an escape or `..` is an unknown path.
struct WebPages: Sendable {
    static let root = "/approve"
    /// In reports: one route for all paths.
    static let routeName = "GET \(root)/"
    private static let verifierPath = root + "/verifier.json"

    private let content: WebContent
    private let verifier: WebVerifier
    /// The fields of every response.
    private let protection: [Field]

    /// With `requiresTLS`, browsers never again use the host without TLS.
    init(_ content: WebContent, of verifier: WebVerifier, requiresTLS: Bool) {
        self.content = content
        self.verifier = verifier
        protection = Self.protection + (requiresTLS ? [Self.strictTransportSecurity] : [])
    }

    /// Whether a target belongs to the web device.
    static func contains(_ target: String) -> Bool {
        target == root || target.hasPrefix(root + "/")
    }

    func response(to request: Request) -> ReportedResponse {
        guard let found = found(request.target) else {
            return reported(
                404,
                [
                    Field("content-type", "text/html; charset=utf-8"),
                    Field("cache-control", "no-store"),
                ],
                Self.unknownPage,
                outcome: BankErrorCode.notFound.rawValue
            )
        }
        guard request.isReading else {
            return reported(
                405,
                [.allowReading],
                outcome: BankErrorCode.methodNotAllowed.rawValue
            )
        }
        switch found {
        case .folder: return reported(308, [Field("location", Self.root + "/")])
        case .verifier:
            let type = Field("content-type", "application/json")
            return reported(200, [type, Field("cache-control", "no-store")], verifier.json)
        case .file(let file): return response(with: file, to: WebRequest(request))
        }
    }

    private enum Found {
        /// The folder without its slash.
        case folder
        case verifier
        case file(WebContent.File)
    }

    private func found(_ target: String) -> Found? {
        if target == Self.root { return .folder }
        if target == Self.verifierPath { return .verifier }
        let name = target.dropFirst(Self.root.count + 1)
        return content[name.isEmpty ? WebContent.indexPath : String(name)].map { .file($0) }
    }

    private func response(
        with file: WebContent.File,
        to request: WebRequest
    ) -> ReportedResponse {
        let compressed = request.acceptsGzip ? file.compressed : nil
        let copy = compressed ?? file.plain
        let caching = file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache"
        var fields = [Field("etag", copy.tag), Field("cache-control", caching)]
        if file.compressed != nil { fields.append(Field("vary", "accept-encoding")) }
        guard !request.hasCopy(tagged: copy.tag) else { return reported(304, fields) }
        fields.append(Field("content-type", file.type))
        if compressed != nil { fields.append(Field("content-encoding", "gzip")) }
        return reported(200, fields, copy.bytes)
    }

    private func reported(
        _ status: Int,
        _ fields: [Field] = [],
        _ body: [UInt8] = [],
        outcome: String = ReportedResponse.done
    ) -> ReportedResponse {
        ReportedResponse(
            Response(status: status, fields: fields + protection, body: .bytes(body)),
            by: Self.routeName,
            outcome: outcome
        )
    }
}

// MARK: An unknown path

extension WebPages {
    /// A person can get here by a changed link; the text has no part of the request.
    private static let unknownPage = Array(
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Countersign</title>
        <p>There is no page at this address. <a href="\(root)/">Open the page for approvals</a></p>
        <p lang="de">Unter dieser Adresse gibt es keine Seite. \
        <a href="\(root)/">Seite für Freigaben öffnen</a></p>
        </html>

        """.utf8
    )
}

// MARK: Fields of every response

extension WebPages {
    /// The page loads only its own files, runs no inline script, and is in no frame.
    private static let protection = [
        Field("content-security-policy", contentSecurityPolicy),
        Field("cross-origin-opener-policy", "same-origin"),
        Field("cross-origin-embedder-policy", "require-corp"),
        Field("cross-origin-resource-policy", "same-origin"),
        Field("x-content-type-options", "nosniff"),
        Field("referrer-policy", "no-referrer"),
        Field("permissions-policy", permissionsPolicy),
    ]

    /// One year, without subdomains, which belong to other servers (RFC 6797, section 6.1).
    private static let strictTransportSecurity =
        Field("strict-transport-security", "max-age=31536000")

    private static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
        "connect-src 'self'", "img-src 'self'", "manifest-src 'self'", "worker-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types countersign",
    ].joined(separator: "; ")

    private static let permissionsPolicy =
        [
            "accelerometer", "autoplay", "camera", "display-capture",
            "encrypted-media", "fullscreen", "geolocation", "gyroscope", "hid", "magnetometer",
            "microphone", "midi", "payment", "picture-in-picture", "serial", "usb",
            "xr-spatial-tracking",
        ].map { "\($0)=()" }.joined(separator: ", ")
        + ", publickey-credentials-get=(self), publickey-credentials-create=(self)"
}
