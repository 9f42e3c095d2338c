import Foundation
import SelfTest
import TestSupport
import Testing
import VectorTesting

@testable import countersign_3ds

/// Every row of `Vectors/CardPayments`, each as a separate test case.
@Suite struct `Vectors of card payments` {
    private let folder = VectorFolder("CardPayments", of: .cardPayments)

    @Test(arguments: try VectorRow.all(in: .cardPayments))
    func `have the expected results`(row: VectorRow) async throws {
        #expect(try await row.passes())
    }

    @Test func `are embedded in the program`() throws {
        try folder.expectToBeInTheProgram()
    }

    @Test(arguments: VectorSet.cardPayments.files.map(\.name))
    func `are counted in their README`(name: String) throws {
        try folder.expectCounts(of: name)
    }

    @Test func `have the same results in a program in another language`() throws {
        let paths = VectorSet.cardPayments.files.map { file in
            VectorRow.folder.appending(path: "CardPayments/\(file.name)").path
        }
        let checked = try ReferenceChecker.check(paths)
        #expect(checked.exitCode == 0, "\(checked.output)\(checked.errorOutput)")
        #expect(checked.output.hasSuffix("404 rows checked, 0 different\n"))
    }
}
