import ThreeDSIssuer

struct PageResponse: Encodable {
    let status: Int
    let fields: [[String]]
    let body: String

    init(_ page: BrowserPage) {
        status = page.status
        fields = page.fields.map { [$0.name, $0.value] }
        body = String(decoding: page.body, as: UTF8.self)
    }
}
