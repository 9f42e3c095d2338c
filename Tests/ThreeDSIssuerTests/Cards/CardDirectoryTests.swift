import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

@Suite struct `A directory of the issuer` {
    @Test(arguments: ["A000000003", "0123456789", "A0000000FF"])
    func `is named by the five bytes of a scheme`(_ text: String) {
        #expect(DirectoryID(text)?.text == text)
    }

    @Test(arguments: ["", "A00000000", "A0000000031", "a000000003", "A00000000G", "A00000000 "])
    func `is not named by another text`(_ text: String) {
        #expect(DirectoryID(text) == nil)
    }

    @Test(arguments: ["05", "02", "00"])
    func `has an indicator of two digits`(_ digits: String) {
        #expect(ECI(digits)?.digits == digits)
    }

    @Test(arguments: ["", "5", "005", "0a", "٠٥"])
    func `has no indicator of another form`(_ digits: String) {
        #expect(ECI(digits) == nil)
        #expect(ECI.authenticated.digits == "05")
    }

    @Test func `reads AReqs of its own versions only`() throws {
        let request = SampleRequest(.twoThree)
        func read(_ start: String, _ end: String) throws -> String {
            let reader = try SampleWorld.directory(start, end).reader
            do throws(MessageReader.Failure) {
                let bytes = Array(request.document.utf8)
                return try reader.read(bytes, as: [.areq], in: .first).version.rawValue
            } catch {
                guard case .fault(let fault) = error else { throw error }
                return fault.code.rawValue + " " + fault.detail
            }
        }
        #expect(try read("2.1.0", "2.3.1") == "2.3.1")
        #expect(try read("2.1.0", "2.2.0") == "102 2.1.0,2.2.0")
        #expect(try read("2.2.0", "2.3.0") == "102 2.2.0")
    }

    @Test func `needs a range and a known version`() throws {
        let id = try #require(DirectoryID("A000000003"))
        let range = try #require(CardRange(from: "4000050000000000", to: "4000059999999999"))
        func directory(_ ranges: [CardRange], _ start: String, _ end: String) -> CardDirectory? {
            CardDirectory(id, ranges: ranges, versionsFrom: start, to: end)
        }
        #expect(directory([range], "2.1.0", "2.2.0") != nil)
        #expect(directory([], "2.1.0", "2.2.0") == nil)
        #expect(directory([range], "2.2.0", "2.1.0") == nil)
        #expect(directory([range], "2", "2.2.0") == nil)
    }
}
