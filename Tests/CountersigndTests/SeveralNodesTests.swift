import Foundation
import OneTimePassword
import ProgramTesting
import TestSupport
import Testing
import TransactionApproval

/// Separate processes that share only PostgreSQL.
@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(
        if: PostgresServer.isInstalled,
        "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
    )
)
struct `Several nodes on one PostgreSQL` {
    @Test func `SEC-04: an approval that is sent 64 times to two nodes is accepted once`()
        async throws
    {
        let nodes = try await Nodes()
        let customer = try await nodes.customer("4711")
        let transaction = try await nodes.pay(from: customer)
        await nodes.close()
        let running = try [RunningVerifier(nodes.first), RunningVerifier(nodes.second)]
        let approval = try customer.approval(of: transaction)
        let calls = try (0..<64).map { number in
            let request = try nodes.sign(DecisionExchange.self, approval, by: customer.phone)
            return [[Clients.Call(request, at: running[number % 2].port)]]
        }
        let responses = try Clients(calls).remainingResponses()
        #expect(responses.count == 64)
        // Each request gets the verdict of the first one.
        #expect(Set(responses.map(\.status)) == [200], "\(responses)")
        #expect(Set(responses.map(\.body)).count == 1)
        try expectOnce(nodes, customer, approvals: 1)
        for node in running { #expect(node.stop() == 0) }
        try expectAudited(nodes)
    }

    @Test func `a new node names the command that joins the store`() async throws {
        let nodes = try await Nodes()
        await nodes.close()
        let hint = "run countersignd init --join; "
        let checkpoint = try String(
            contentsOfFile: nodes.second.path("keys/checkpoint"),
            encoding: .utf8
        )
        for name in ["keys/checkpoint", "journal/journal"] { try nodes.second.remove(name) }
        let run = try nodes.second.countersignd("run")
        #expect(run.exitCode == 66)
        #expect(run.errorOutput.contains(hint), "\(run.errorOutput)")
        // A key that was copied is not noticed, but the journal is missing.
        try nodes.second.write(checkpoint, to: "keys/checkpoint")
        let copied = try nodes.second.countersignd("run")
        #expect(copied.exitCode == 66)
        #expect(copied.errorOutput.contains(hint), "\(copied.errorOutput)")
    }

    @Test func `SEC-04: no acknowledged decision is lost when a node is killed`()
        async throws
    {
        let nodes = try await Nodes()
        var (customers, transactions) = ([Nodes.Customer](), [[Transaction]]())
        for number in 0..<16 {
            let customer = try await nodes.customer("A\(number)")
            var waiting: [Transaction] = []
            for _ in 0..<3 { waiting.append(try await nodes.pay(from: customer)) }
            customers.append(customer)
            transactions.append(waiting)
        }
        await nodes.close()
        let (killed, left) = (try RunningVerifier(nodes.first), try RunningVerifier(nodes.second))
        let calls = try zip(customers, transactions).enumerated().map { number, pair in
            try pair.1.enumerated().map { place, transaction in
                let approval = try pair.0.approval(of: transaction, place)
                let ports = [killed.port, left.port]
                return try (number.isMultiple(of: 2) ? ports : ports.reversed()).map { port in
                    let request = try nodes.sign(DecisionExchange.self, approval, by: pair.0.phone)
                    return Clients.Call(request, at: port)
                }
            }
        }
        let clients = try Clients(calls)
        var responses: [Clients.Response] = []
        while responses.count < 6, let response = try clients.next() { responses.append(response) }
        killed.signal(SIGKILL)
        #expect(killed.end() == 128 + SIGKILL)
        responses += try clients.remainingResponses()
        #expect(responses.map(\.status) == [Int](repeating: 200, count: 48), "\(responses)")
        // Some requests were in progress or came later.
        #expect(responses.contains { $0.nodeCount == 2 })

        let ids = transactions.joined().map(\.id.description).sorted()
        let approved = "SELECT id FROM transactions WHERE state = 1 ORDER BY id"
        #expect(try nodes.query(approved).split(separator: "\n").map(String.init) == ids)
        for customer in customers { try expectOnce(nodes, customer, approvals: 3) }
        // The bank gets the result from the remaining node.
        let token = try nodes.second.token("core", "issuer")
        let path = "http://127.0.0.1:\(left.port)/bank/v1/enterprises/bank/accounts/main/"
        for (customer, waiting) in zip(customers, transactions) {
            let list = try Fetched(
                path + "\(customer.name)/transactions",
                "-H",
                "Authorization: Bearer \(token)"
            ).body
            for transaction in waiting {
                let approved = #""id":"\#(transaction.id)","account":\{[^}]*\},"state":"approved""#
                #expect(try list.contains(Regex(approved)), "\(list)")
            }
        }
        let again = try RunningVerifier(nodes.first)
        #expect(try Fetched("http://127.0.0.1:\(again.operationPort)/health/ready").status == 200)
        for node in [again, left] { #expect(node.stop() == 0) }
        try expectAudited(nodes)
    }

    @Test func `SEC-35: a device receives an event of another node within one second`()
        async throws
    {
        let nodes = try await Nodes()
        let customer = try await nodes.customer("4711")
        await nodes.close()
        let called = try RunningVerifier(nodes.first)
        let listened = try RunningVerifier(nodes.second)
        let header = "Authorization: Bearer \(try nodes.first.token("core", "issuer"))"
        let subscription = try nodes.sign(EventsExchange.self, NoContent(), by: customer.phone)
        let content = #"{"context":"action","title":"Apples"}"#
        let path = "/bank/v1/enterprises/bank/accounts/main/4711/transactions"
        let calls = (0..<3).map { _ in Clients.Call(path, content, as: header, at: called.port) }
        let events = Clients.Call(subscription, at: listened.port)
        let delays = try Listener(events, during: calls).delays()
        try #require(delays.count == 3)
        // The median, because one event can be late on a busy machine.
        #expect(delays.sorted()[1] < 1, "\(delays)")
        for node in [called, listened] { #expect(node.stop() == 0) }
    }

    @Test func `requests succeed after the database server is back`() async throws {
        let server = try PostgresServer(syncs: false)
        let nodes = try await Nodes(on: server)
        let customer = try await nodes.customer("4711")
        let transaction = try await nodes.pay(from: customer)
        await nodes.close()
        let running = try RunningVerifier(nodes.first)
        let approval = try customer.approval(of: transaction)
        let request = try nodes.sign(DecisionExchange.self, approval, by: customer.phone)
        try server.kill()
        let clients = try Clients([[[Clients.Call(request, at: running.port)]]])
        let health = "http://127.0.0.1:\(running.operationPort)/health/"
        #expect(try Fetched(health + "live").status == 200)
        // Within the retries of a client.
        #expect(try Fetched(health + "ready", "--max-time", "20").status == 503)
        try server.start()
        try spinUntil { try Fetched(health + "ready").status == 200 }
        let responses = try clients.remainingResponses()
        #expect(responses.map(\.status) == [200], "\(responses)")
        try expectOnce(nodes, customer, approvals: 1)
        #expect(running.stop() == 0)
        #expect(try nodes.first.countersignd("audit", "verify").exitCode == 0)
    }

    /// Checks the number of used codes and of approvals in the trail.
    private func expectOnce(_ nodes: Nodes, _ customer: Nodes.Customer, approvals: Int) throws {
        let counter = try nodes.query(
            "SELECT counter FROM credentials WHERE kind = 1 AND device = '\\x\(customer.device)'"
        )
        #expect(counter == "\(customer.counter.value + UInt64(approvals))")
        let records = try nodes.query(
            """
            SELECT COUNT(*) FROM audit WHERE kind = 'transaction.approved'
                AND account_id = '\(customer.name)'
            """
        )
        #expect(records == "\(approvals)")
    }

    private func expectAudited(_ nodes: Nodes) throws {
        for premises in [nodes.first, nodes.second] {
            let audit = try premises.countersignd("audit", "verify")
            #expect(audit.exitCode == 0, "\(audit.output)\(audit.errorOutput)")
        }
    }
}
