package import HTTPServer

// Resources that only change by themselves, such as health checks and files.

extension Request {
    package var isReading: Bool { method == "GET" || method == "HEAD" }
}

extension Field {
    /// For the refusal of all other methods.
    package static let allowReading = Field("allow", "GET, HEAD")
}
