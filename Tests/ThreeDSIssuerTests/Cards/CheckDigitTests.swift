import Testing
import ThreeDSProtocol

@Suite struct `The check digit of a card number` {
    private func hasCheckDigit(_ digits: [UInt8]) throws -> Bool {
        let text = digits.map { $0 + UInt8(ascii: "0") }
        let number = try #require(try CardNumber(text.span))
        return number.hasCheckDigit
    }

    private func digits(_ text: String) -> [UInt8] { text.utf8.map { $0 - UInt8(ascii: "0") } }

    /// Numbers that card schemes and payment services publish for tests.
    private static let published = [
        "4222222222222", "30569309025904", "378282246310005", "4111111111111111",
        "5555555555554444", "6011111111111117", "3530111333300000", "6362970000457013",
        "4000056655665556",
    ]

    @Test(arguments: published)
    func `is right in published numbers`(_ number: String) throws {
        #expect(try hasCheckDigit(digits(number)))
    }

    @Test(arguments: published)
    func `is wrong after each change of one digit`(_ number: String) throws {
        let number = digits(number)
        for index in number.indices {
            for change in UInt8(1)...9 {
                var changed = number
                changed[index] = (changed[index] + change) % 10
                #expect(try !hasCheckDigit(changed), "digit \(index)")
            }
        }
    }

    @Test(arguments: published)
    func `is wrong after two digits changed places, except 0 and 9`(_ number: String) throws {
        let number = digits(number)
        for index in number.indices.dropLast() where number[index] != number[index + 1] {
            var changed = number
            changed.swapAt(index, index + 1)
            let isNoticed = Set([number[index], number[index + 1]]) != [0, 9]
            #expect(try hasCheckDigit(changed) != isNoticed, "digit \(index)")
        }
    }

    @Test func `is one of ten for all lengths`() throws {
        for length in 13...19 {
            let body = (1..<length).map { UInt8($0 % 10) }
            var count = 0
            for digit in UInt8(0)...9 where try hasCheckDigit(body + [digit]) { count += 1 }
            #expect(count == 1, "\(length)")
        }
    }
}
