import Localization

/// A response with a page for the shopper's browser.
package struct BrowserPage: Sendable {
    package let status: Int
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]

    init(
        status: Int = 200,
        _ kind: PagePolicy.Kind,
        _ title: LocalizedText,
        _ content: [Markup],
        loading images: [WebAddress] = [],
        in context: PageContext
    ) {
        self.status = status
        let policy = PagePolicy(kind, loading: images, context)
        fields = Self.protection + [("content-security-policy", policy.text)]
        let title = Markup.text(title.text(in: context.language))
        var head: [Markup] = [
            .void(.meta, [.utf8]), .void(.meta, [.viewport, .windowWidth]),
            .element(.title, [title]), .style(pageStyle, context.nonce),
        ]
        let start = images.isEmpty ? [] : [Markup.images(at: images)]
        var body = [Markup.element(.main, start + [.element(.heading, [title])] + content)]
        if kind == .waiting { head.append(.withoutScript) }
        if let script = kind.script { body.append(.script(script, context.nonce)) }
        var page = PageWriter()
        page.append(
            .element(
                .html,
                with: [.language(context.language)],
                [.element(.head, head), .element(.body, body)]
            )
        )
        self.body = page.bytes
    }

    /// The fields of every page, without a cookie: in a frame, it would be a third party's.
    private static let protection = [
        (name: "content-type", value: "text/html; charset=utf-8"),
        (name: "cache-control", value: "no-store"),
        (name: "referrer-policy", value: "no-referrer"),
        (name: "x-content-type-options", value: "nosniff"),
        (name: "permissions-policy", value: permissionsPolicy),
    ]

    /// No feature for any origin.
    private static let permissionsPolicy = [
        "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen",
        "geolocation", "gyroscope", "hid", "magnetometer", "microphone", "midi", "payment",
        "picture-in-picture", "publickey-credentials-create", "publickey-credentials-get", "serial",
        "usb", "xr-spatial-tracking",
    ].map { "\($0)=()" }.joined(separator: ", ")
}

extension Markup {
    /// The texts contain everything, so screen readers ignore them.
    fileprivate static func images(at addresses: [WebAddress]) -> Markup {
        .element(
            .paragraph,
            with: [.look(.logos)],
            addresses.map { .void(.image, [.loads($0), .hasNoMeaning]) }
        )
    }

    /// Browsers with scripts ignore it.
    fileprivate static let withoutScript = Markup.element(
        .noscript,
        [.void(.meta, [.refreshes, .everyFiveSeconds])]
    )
}

extension BrowserPage: CustomStringConvertible, CustomReflectable {
    package var description: String { "<page with status \(status)>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
