/// The Content-Security-Policy of a page: only its own style and script, its own forms, and the
/// images of the configuration.
struct PagePolicy {
    enum Kind {
        case waiting, result, notice

        var script: StaticString? {
            switch self {
            case .waiting: waitingScript
            case .result: resultScript
            case .notice: nil
            }
        }
    }

    let text: String

    init(_ kind: Kind, loading images: [WebAddress] = [], _ context: PageContext) {
        let nonce = "'nonce-\(context.nonce.text)'"
        let shops = context.isSandbox ? Self.shops + Self.sandboxShops : Self.shops
        var directives = ["default-src 'none'", "style-src \(nonce)"]
        if kind.script != nil { directives.append("script-src \(nonce)") }
        if !images.isEmpty {
            directives.append("img-src " + images.map(\.origin).joined(separator: " "))
        }
        if kind == .waiting { directives.append("connect-src 'self'") }
        // The shop redirects to any other address, and browsers compare it too.
        let targets =
            switch kind {
            case .waiting: ["'self'"]
            case .result: shops
            case .notice: ["'none'"]
            }
        directives.append("form-action " + targets.joined(separator: " "))
        directives.append("base-uri 'none'")
        directives.append("frame-ancestors " + shops.joined(separator: " "))
        text = directives.joined(separator: "; ")
    }

    private static let shops = ["https:"]
    private static let sandboxShops = ["http://localhost:*", "http://127.0.0.1:*"]
}
