import HTTPClient
import TestSupport
import Testing

@testable import VerifierServer

/// Responses that FCM documents, and others.
@Suite struct `An error of FCM` {
    typealias Case = (status: Int, body: String, isOfToken: Bool)

    @Test(
        arguments: [
            (404, FCMErrors.unregistered, true),
            (400, FCMErrors.body(400, "INVALID_ARGUMENT", FCMErrors.invalid), false),
            (
                400,
                FCMErrors.body(
                    400,
                    "INVALID_ARGUMENT",
                    FCMErrors.invalid + "," + FCMErrors.violation("message.token")
                ), true
            ),
            // Another member is invalid, not the token.
            (
                400,
                FCMErrors.body(
                    400,
                    "INVALID_ARGUMENT",
                    FCMErrors.invalid + "," + FCMErrors.violation("message.data[0].value")
                ), false
            ),
            (
                400,
                FCMErrors.body(
                    400,
                    "INVALID_ARGUMENT",
                    FCMErrors.violation("message.token")
                ), false
            ),
            (400, FCMErrors.body(400, "INVALID_ARGUMENT", ""), false),
            // A misspelt project, a page of a proxy, another sender's token, an error of FCM.
            (404, FCMErrors.body(404, "NOT_FOUND", ""), false),
            (404, "<html>not found</html>", false), (404, "", false),
            (
                403, FCMErrors.body(403, "PERMISSION_DENIED", FCMErrors.fcm("SENDER_ID_MISMATCH")),
                false
            ),
            (500, FCMErrors.unregistered, false), (200, FCMErrors.unregistered, false),
        ] as [Case]
    )
    func `shows whether the token is invalid`(_ row: Case) {
        let response = HTTPResponse(status: row.status, headers: [], body: Array(row.body.utf8))
        #expect(FCMError(response).isOfToken == row.isOfToken)
    }

    @Test(
        arguments: [
            FCMErrors.fcm, FCMErrors.violation,
            { #"{"@type":"\#($0)","errorCode":"UNREGISTERED"}"# },
        ] as [@Sendable (String) -> String]
    )
    func `is read in a time that grows with its length`(_ detail: @Sendable (String) -> String) {
        let growth = Growth(from: 4096) { size in
            Array(FCMErrors.body(404, "", detail(combiningMarks(byteCount: size))).utf8)
        } _: { body in
            #expect(!FCMError(HTTPResponse(status: 404, headers: [], body: body)).isOfToken)
        }
        #expect(growth.isLinear, "\(growth)")
    }
}

enum FCMErrors {
    static let unregistered = body(404, "NOT_FOUND", fcm("UNREGISTERED"))
    static let invalid = fcm("INVALID_ARGUMENT")

    static func body(_ code: Int, _ status: String, _ details: String) -> String {
        #"{"error":{"code":\#(code),"message":"no","status":"\#(status)","details":[\#(details)]}}"#
    }

    static func fcm(_ code: String) -> String {
        #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#
    }

    static func violation(_ field: String) -> String {
        """
        {"@type":"type.googleapis.com/google.rpc.BadRequest",\
        "fieldViolations":[{"field":"\(field)","description":"no"}]}
        """
    }
}
