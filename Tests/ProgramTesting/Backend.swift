import Foundation

/// A program of the bank for one account, with a token for every enterprise.
package struct Backend: Sendable {
    package let header: String
    private let bank: String
    private let account: String

    package init(_ premises: Premises, _ origin: String) throws {
        header =
            "Authorization: Bearer \(try premises.token("core", "issuer", reaching: ["--all"]))"
        bank = origin + "/bank/v1/enterprises/"
        account = bank + "bank/accounts/main/4711"
    }

    private init(_ other: Backend, account: String) {
        header = other.header
        bank = other.bank
        self.account = other.bank + account
    }

    /// The same program for another account, which it adds.
    package func adding(account id: String, at enterprise: String) throws -> Backend {
        let backend = Backend(self, account: "\(enterprise)/accounts/main/\(id)")
        let added = try Fetched(backend.account, "-XPUT", "-H", header)
        guard added.status == 201 else { throw Premises.Failure(output: added.body) }
        return backend
    }

    package func post(_ path: String, _ content: String = "{}") throws -> Fetched {
        try Fetched(
            account + path,
            "-XPOST",
            "-H",
            header,
            "-H",
            "Content-Type: application/json",
            "-H",
            "Idempotency-Key: \(UUID().uuidString)",
            "-d",
            content
        )
    }

    package func put(_ path: String) throws -> Fetched {
        try Fetched(account + path, "-XPUT", "-H", header)
    }

    /// Revokes the first device of the account, with a token that may do so.
    package func revokeDevice(showing token: String) throws {
        let devices = try get("/devices").body
        let device = devices.firstMatch(of: /"id":"([0-9a-f]{32})"/)?.1 ?? ""
        let authorization = "Authorization: Bearer \(token)"
        let path = account + "/devices/" + device
        let revoked = try Fetched(path, "-XDELETE", "-H", authorization)
        guard revoked.status == 204 else { throw Premises.Failure(output: revoked.body) }
    }

    package func get(_ path: String) throws -> Fetched { try begin(path).end() }

    package func begin(_ path: String) throws -> Fetching {
        try Fetching(account + path, ["-H", header])
    }
}
