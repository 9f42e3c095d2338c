import AuthenticationHandler
import Cryptography
import Foundation
import OneTimePassword
import Storage
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

/// An attacker copies the device and looks for a code that tests PINs (SECURITY.md, 2.1).
@Suite struct `The device after a hundred approvals` {
    private let world: World

    init() async throws {
        world = try await World(policy: World.allowingConsent)
        try await world.activate()
    }

    /// The number of codes in the files, in any form that a program would write.
    private func found(_ codes: [InBandCode]) throws -> Int {
        let files = try FileManager.default.subpathsOfDirectory(atPath: world.path).compactMap {
            // Folders have no contents.
            FileManager.default.contents(atPath: world.path + "/" + $0)
        }
        return try codes.count { code in
            let forms = try code.forms()
            return files.contains { file in forms.contains { file.range(of: $0) != nil } }
        }
    }

    @Test func `stores none of the codes (SEC-69)`() async throws {
        let app = try world.app()
        for turn in 1...100 {
            // The verifier sends at most five requests in ten minutes.
            world.bank.clock.advance(by: .seconds(150))
            let shown = try await world.shown(for: 10_00)
            if turn.isMultiple(of: 5) {
                try await app.approve(shown, with: .pin(.typed(World.pin)))
            } else {
                try await app.approve(shown, with: .consent)
            }
        }
        #expect(try await world.bank.approvals() == 100)
        let codes = world.line.codes.map(\.code)
        #expect(codes.count == 100)
        #expect(try found(codes) == 0)

        // Shows that the search finds a stored code in each form.
        for (index, form) in try codes[42].forms().enumerated() {
            let file = URL(filePath: world.path + "/vault/log")
            try (Data("code=".utf8) + form + Data("\n".utf8)).write(to: file)
            #expect(try found(codes) == 1, "form \(index)")
            try FileManager.default.removeItem(at: file)
        }
        #expect(try found(codes) == 0)
    }
}

extension InBandCode {
    /// Digits of both cases, bytes, base64, and the reverse of each.
    fileprivate func forms() throws -> [Data] {
        let digits = code.text
        let bytes = Data(try TextEncoding.hexadecimal.decode(digits))
        let forward = [
            Data(digits.utf8), Data(digits.uppercased().utf8), bytes,
            // Without the padding, which some programs omit.
            bytes.base64EncodedData().dropLast(1),
        ]
        return forward + forward.map { Data($0.reversed()) }
    }
}
