import OneTimePassword
import Testing

@Suite struct `Documents of RFC 6030` {
    private static let all = Result { try DocumentVector.load("rfc6030-pskc.json") }

    @Test(arguments: try all.get().filter { $0.keys != nil })
    func `say what the figures show`(_ vector: DocumentVector) throws {
        let document = try vector.read()
        #expect(document.id == vector.id)
        #expect(document.keys.map(KeyFacts.init) == vector.keys)
    }

    @Test(arguments: try all.get().filter { $0.keys == nil })
    func `and hostile ones are refused`(_ vector: DocumentVector) {
        #expect(throws: PSKCDocument.ReadingFailure.self) { try vector.read() }
    }
}
