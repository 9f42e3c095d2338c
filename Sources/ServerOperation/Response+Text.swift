package import HTTPServer

extension Response {
    /// For operators and load balancers; it is never stored.
    package static func text(
        _ text: String,
        status: Int = 200,
        type: String = "text/plain; charset=utf-8"
    ) -> Response {
        let fields = [Field("content-type", type), Field("cache-control", "no-store")]
        return Response(status: status, fields: fields, body: .bytes(Array(text.utf8)))
    }
}
