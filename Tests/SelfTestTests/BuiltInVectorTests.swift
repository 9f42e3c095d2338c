import SelfTest
import Testing

@Suite struct `Built-in vectors` {
    @Test(arguments: VectorFile.builtIn.map(\.name))
    func `all pass`(name: String) async throws {
        let bytes = try #require(VectorFile.builtIn.first { $0.name == name }?.bytes)
        let report = try await VectorFile(reading: bytes).run()
        #expect(report.failedRows.isEmpty)
    }
}
