package import HTTPServer
import Storage
import StrictJSON
import ThreeDSProtocol

/// The public listener: for SDKs of apps, and for browsers.
package struct ChallengeRoutes: Sendable {
    private let service: IssuerService

    /// Of a body; longer ones are refused before they are read.
    package static let maximumByteCount = SecureChannel.Side.sdk.maximumByteCount

    /// A browser repeats its request after this time.
    private static let longestWait = 25

    package init(_ service: IssuerService) {
        self.service = service
    }

    package func respond(to request: Request) async -> RoutedResponse {
        switch request.path {
        case ChallengeAddresses.appPath[...]:
            return await respond(toApp: request)
        case ChallengeAddresses.browserPath[...]:
            return await respond(toForm: request)
        case ChallengeAddresses.methodPath[...]: return respond(toMethod: request)
        case let path where path.hasPrefix(ChallengeAddresses.pagePath):
            return await respond(toPage: request)
        default: return .unknownPath
        }
    }
}

// MARK: Apps

extension ChallengeRoutes {
    private static let appRoute = "POST \(ChallengeAddresses.appPath)"

    private func respond(toApp request: Request) async -> RoutedResponse {
        guard request.method == "POST" else {
            return .wrongMethod(Self.appRoute, allowed: "POST")
        }
        do throws(StoreFailure) {
            switch try await service.response(toApp: request.body) {
            case .sealed(let text):
                let fields = [
                    Field("content-type", "application/jose; charset=utf-8"),
                    Field("cache-control", "no-store"),
                ]
                let response = Response(status: 200, fields: fields, body: .bytes(text))
                return RoutedResponse(response, by: Self.appRoute, "done")
            case .error(let body):
                return RoutedResponse(.json(body), by: Self.appRoute, Self.code(in: body))
            case .none: return RoutedResponse(Response(status: 200), by: Self.appRoute, "noted")
            }
        } catch {
            service.observer.report(.storeFailed(error))
            let body = await service.transientFailure(ofApp: request.body, after: error)
            let response = body.map { Response.json($0, status: 503) } ?? Response(status: 503)
            return RoutedResponse(response, by: Self.appRoute, "unavailable")
        }
    }

    private static func code(in body: [UInt8]) -> String {
        // This program wrote the body: `try?`.
        (try? JSONValue(reading: body, limits: .message))?["errorCode"]?.text ?? "unknown"
    }
}

// MARK: Browsers

extension ChallengeRoutes {
    private static let formRoute = "POST \(ChallengeAddresses.browserPath)"
    private static let pageRoute = "GET \(ChallengeAddresses.pagePath){handle}"
    private static let stateRoute = "GET \(ChallengeAddresses.pagePath){handle}/state"
    private static let actionRoute = "POST \(ChallengeAddresses.pagePath){handle}/{action}"

    private func respond(toForm request: Request) async -> RoutedResponse {
        guard request.method == "POST" else {
            return .wrongMethod(Self.formRoute, allowed: "POST")
        }
        return await browserResponse(by: Self.formRoute) { () throws(StoreFailure) in
            try await service.response(toForm: request.body)
        }
    }

    private func respond(toPage request: Request) async -> RoutedResponse {
        let parts = request.path.dropFirst(ChallengeAddresses.pagePath.utf8.count)
            .split(separator: "/", omittingEmptySubsequences: false)
        guard let handle = parts.first.flatMap({ PageHandle(String($0)) }), parts.count <= 2 else {
            return await browserResponse(by: Self.pageRoute) { () throws(StoreFailure) in
                .page(try service.notice(.unknownHandle))
            }
        }
        switch (request.method, parts.dropFirst().first.map { String($0) }) {
        case ("GET", nil):
            return await browserResponse(by: Self.pageRoute, onPageOf: handle) {
                () throws(StoreFailure) in
                // A note that this version does not know is left out.
                let note = request.parameter("note").flatMap(WaitingPage.Note.init)
                return .page(try await service.page(handle, with: note))
            }
        case ("GET", "state"): return await state(of: handle, request)
        case ("POST", let name?):
            guard let action = PageAction(rawValue: name) else { return .unknownPath }
            return await browserResponse(by: Self.actionRoute, onPageOf: handle) {
                () throws(StoreFailure) in
                try await service.response(to: action, on: handle, form: request.body)
            }
        default: return .wrongMethod(Self.pageRoute, allowed: "GET, POST")
        }
    }

    private func state(of handle: PageHandle, _ request: Request) async -> RoutedResponse {
        let wanted = request.parameter("wait").flatMap { Int($0) } ?? 0
        let seconds = min(max(0, wanted), Self.longestWait)
        let shown = request.parameter("state").flatMap(PageState.init)
        do throws(StoreFailure) {
            let state = try await service.state(
                of: handle,
                showing: shown,
                within: .seconds(seconds)
            )
            guard let state else {
                return RoutedResponse(Response(status: 404), by: Self.stateRoute, "unknownHandle")
            }
            let body = Array(#"{"state":"\#(state.rawValue)"}"#.utf8)
            return RoutedResponse(.json(body), by: Self.stateRoute, state.rawValue)
        } catch {
            service.observer.report(.storeFailed(error))
            return RoutedResponse(Response(status: 503), by: Self.stateRoute, "unavailable")
        }
    }

    private func browserResponse(
        by route: String,
        onPageOf handle: PageHandle? = nil,
        _ respond: () async throws(StoreFailure) -> BrowserResponse
    ) async -> RoutedResponse {
        do throws(StoreFailure) {
            switch try await respond() {
            case .page(let page): return RoutedResponse(Response(page), by: route, "\(page.status)")
            case .redirection(let path):
                let fields = [Field("location", path), Field("cache-control", "no-store")]
                return RoutedResponse(Response(status: 303, fields: fields), by: route, "303")
            }
        } catch {
            service.observer.report(.storeFailed(error))
            // Without random bytes for a nonce, there is no page: `try?`.
            let page = try? service.notice(.unavailable(pageOf: handle))
            let response = page.map { Response($0) } ?? Response(status: 503)
            return RoutedResponse(response, by: route, "unavailable")
        }
    }
}

// MARK: 3DS Method

extension ChallengeRoutes {
    private static let methodRoute = "POST \(ChallengeAddresses.methodPath)"

    private func respond(toMethod request: Request) -> RoutedResponse {
        guard request.method == "POST" else {
            return .wrongMethod(Self.methodRoute, allowed: "POST")
        }
        do throws(StoreFailure) {
            let page = try service.methodPage(form: request.body)
            return RoutedResponse(Response(page), by: Self.methodRoute, "\(page.status)")
        } catch {
            return RoutedResponse(Response(status: 503), by: Self.methodRoute, "unavailable")
        }
    }
}

extension Response {
    fileprivate init(_ page: BrowserPage) {
        self.init(
            status: page.status,
            fields: page.fields.map { Field($0.name, $0.value) },
            body: .bytes(page.body)
        )
    }
}

extension Request {
    /// A parameter of the query, which needs no escapes here.
    fileprivate func parameter(_ name: String) -> String? {
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, pair[0] == name { return String(pair[1]) }
        }
        return nil
    }
}
