package import HTTPServer
package import StrictJSON

/// The JSON content of a request.
package protocol RequestContent: Sendable {
    /// Notes the violations if it returns nil.
    init?(_ value: CheckedValue)
}

/// The reason why the content of a request is not accepted.
package enum ContentRefusal: Error, Equatable, Sendable {
    case unsupportedType
    case malformed(StrictJSON.Failure)
    case invalid([Violation])
}

extension Request {
    /// The values of all fields with this lower-case name.
    package func values(of name: String) -> [String] {
        fields.filter { $0.isCalled(name) }.map(\.value)
    }

    /// The token after `Bearer` (RFC 6750, section 2.1); nil unless there is exactly one.
    package var bearerToken: [UInt8]? {
        let values = values(of: "authorization")
        guard values.count == 1 else { return nil }
        let words = values[0].utf8.split(
            separator: UInt8(ascii: " "),
            omittingEmptySubsequences: false
        )
        guard words.count == 2, Substring(words[0]).lowercased() == "bearer" else { return nil }
        return Array(words[1])
    }

    /// Whether the content is declared as JSON.
    package var hasJSON: Bool { values(of: "content-type").map(isJSON) == [true] }

    package func content<Content: RequestContent>(
        _ type: Content.Type
    ) -> Result<Content, ContentRefusal> {
        guard hasJSON else { return .failure(.unsupportedType) }
        do throws(StrictJSON.Failure) {
            return switch try StrictJSON.check(body, Content.init) {
            case .accepted(let content): .success(content)
            case .refused(let violations): .failure(.invalid(violations))
            }
        } catch {
            return .failure(.malformed(error))
        }
    }
}

/// JSON is always UTF-8 (RFC 8259, section 8.1), but many clients add the charset.
private func isJSON(_ contentType: String) -> Bool {
    let parts = contentType.lowercased().split(separator: ";")
        .map { $0.filter { $0 != " " } }
    return parts == ["application/json"] || parts == ["application/json", "charset=utf-8"]
}
