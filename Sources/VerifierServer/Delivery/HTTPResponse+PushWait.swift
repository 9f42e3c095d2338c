import BankIntegration
import HTTPClient

extension HTTPResponse {
    /// The minimum wait before another push.
    ///
    /// Without Retry-After, an exceeded quota is left alone for a minute.
    var pushWait: Duration { retryAfter ?? (status == 429 ? .seconds(60) : .zero) }
}
