import Foundation
import TestSupport
import Testing
import Verification
import VerifierWorld

/// No decision that was told is lost, and no code counts twice, whoever dies when.
@Suite(.serialized, .timeLimit(.minutes(60))) struct `A verifier that is killed at full speed` {
    @Test func `on SQLite has kept all that it told, and accepts no code again`() async throws {
        var witness = try await Witness(Premises())
        for round in Rounds(8, all: 200, of: "kill -9 on SQLite") {
            var moment = SeededGenerator(seed: round)
            let program = try witness.startProgram()
            let said = try program.output(untilRandom: &moment)
            witness.hear((said + (try program.kill())).lines)
            try await witness.examineNews()
        }
        try await witness.examineAll()
        #expect(try sqlite3(witness.premises.store.text, "PRAGMA integrity_check") == "ok")
    }

    @Test(.needsPostgres)
    func `on PostgreSQL, with the server or without it, has kept all that it told`() async throws {
        let server = try PostgresServer()
        var witness = try await Witness(Premises(on: .postgreSQL, server: server))
        for round in Rounds(3, all: 50, of: "kill -9 on PostgreSQL") {
            var moment = SeededGenerator(seed: round)
            let program = try witness.startProgram()
            var said = try program.output(untilRandom: &moment)
            if round % 2 == 1 {
                try server.kill()
                try server.start()
                said += try program.output(untilRandom: &moment)
            }
            witness.hear((said + (try program.kill())).lines)
            try await witness.examineNews()
        }
        try await witness.examineAll()
    }
}

extension Witness {
    fileprivate func startProgram() throws -> RunningProgram {
        try RunningProgram("decide", premises.path, premises.store.text)
    }
}

extension RunningProgram {
    /// What it says until a moment that lies anywhere in the work for a group of decisions.
    fileprivate func output(untilRandom moment: inout SeededGenerator) throws -> Data {
        let said = try output(atLeast: .random(in: 1...15_000, using: &moment))
        usleep(.random(in: 0...5_000, using: &moment))
        return said
    }
}
