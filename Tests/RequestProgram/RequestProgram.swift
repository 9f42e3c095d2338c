import Glibc
import HTTPClient

/// Posts to each URL in turn; prints the outcome and the count of open descriptors.
///
///     RequestProgram AUTHORITIES|- CONNECTION-LIMIT-IN-MILLISECONDS BODY-SIZE URL...
@main struct RequestProgram {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 4, let limit = Int(arguments[2]), let size = Int(arguments[3])
        else {
            exit(64)
        }
        var configuration = HTTPClient.Configuration()
        configuration.authorities = arguments[1] == "-" ? nil : arguments[1]
        configuration.connectionTimeout = .milliseconds(limit)
        let client = try HTTPClient(configuration)
        let body = [UInt8](repeating: 0, count: size)
        for url in arguments.dropFirst(4) {
            let outcome = await outcome(of: HTTPRequest(.post(body), url), client)
            print(outcome, openDescriptorCount())
        }
    }

    private static func outcome(of request: HTTPRequest, _ client: HTTPClient) async -> String {
        do throws(HTTPFailure) {
            return "\(try await client.send(request).status)"
        } catch {
            return "\(error)"
        }
    }

    private static func openDescriptorCount() -> Int {
        (0..<1024).count { fcntl($0, F_GETFD) >= 0 }
    }
}
