import Foundation
import Sealing
import Storage
import TestSupport
import Testing
import Verification
import VerifierWorld

/// A kill at any time loses no reported decision and lets no code count twice.
@Suite(.serialized, .timeLimit(.minutes(60))) struct `A verifier that is killed under load` {
    @Test func `on SQLite, every reported result survives and no code is accepted again`()
        async throws
    {
        var witness = try await Witness(Premises())
        for round in Rounds(8, all: 200, of: "kill -9 on SQLite") {
            var moment = SeededGenerator(seed: round)
            let program = try witness.startProgram()
            let output = try program.output(untilRandom: &moment)
            witness.record((output + (try program.kill())).lines)
            try await witness.examineNewDecisions()
        }
        try await witness.examineAll()
        #expect(try sqlite3(witness.premises.store.text, "PRAGMA integrity_check") == "ok")
    }

    @Test(.needsPostgres)
    func `on PostgreSQL, with or without a server kill, every reported result survives`()
        async throws
    {
        let server = try PostgresServer()
        var witness = try await Witness(Premises(on: .postgreSQL, server: server))
        for round in Rounds(3, all: 50, of: "kill -9 on PostgreSQL") {
            var moment = SeededGenerator(seed: round)
            let program = try witness.startProgram()
            var output = try program.output(untilRandom: &moment)
            if round % 2 == 1 {
                try server.kill()
                try server.start()
                output += try program.output(untilRandom: &moment)
            }
            witness.record((output + (try program.kill())).lines)
            try await witness.examineNewDecisions()
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
    /// The output until a random time within the work for a group of decisions.
    fileprivate func output(untilRandom moment: inout SeededGenerator) throws -> Data {
        let output = try output(atLeast: .random(in: 1...15_000, using: &moment))
        usleep(.random(in: 0...5_000, using: &moment))
        return output
    }
}
