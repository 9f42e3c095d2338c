import SelfTest
import Testing
import VectorTesting

/// Every row of the files directly in `Vectors/`, each as a separate test case.
@Suite struct `Vectors` {
    private let folder = VectorFolder(of: .approvals)

    @Test(arguments: try VectorRow.all(in: .approvals))
    func `have the expected results`(row: VectorRow) async throws {
        #expect(try await row.passes())
    }

    @Test func `are embedded in the program`() throws {
        try folder.expectToBeInTheProgram()
    }

    @Test(arguments: VectorSet.approvals.files.map(\.name))
    func `are counted in their README`(name: String) throws {
        try folder.expectCounts(of: name)
    }
}
