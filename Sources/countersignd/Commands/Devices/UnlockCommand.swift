import CommandLineTool

/// Ends a temporary lock.
struct UnlockCommand: CredentialCommand {
    static let name = "unlock"
    static let summary = "End the lock of a credential before its time."
    static let discussion = """
        Only a lock that would end by itself: one for good ends by a new activation. Make sure
        first that it is the person who asks.

        \(APIEndpoint.discussion)
        """

    static let change = (method: APIRequest.Method.put, path: "/unlocking")
    static let outcome = "not locked, unless for good"

    let way: APIEndpoint
    let credential: HeldCredentialName
}
