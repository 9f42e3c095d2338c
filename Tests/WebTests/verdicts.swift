// The reader of the page, compiled for this machine: the tests compare it with the module.
import Glibc

/// Each input is its length in 4 bytes, the kind of call in 1 byte, and its bytes.
@main struct Verdicts {
    static func main() {
        var reader = FieldReader(standardInput())
        while let input = try? reader.field(atMost: .max) {
            print(result(input.first ?? 0, Array(input.dropFirst())))
        }
    }

    private static func result(_ call: UInt8, _ bytes: [UInt8]) -> String {
        switch call {
        case 0:
            do throws(Transaction.Failure) {
                return document(JSONText(try Transaction(canonicalBytes: bytes)))
            } catch {
                return document(JSONText(error))
            }
        default:
            do throws(DisplayText.Refusal) {
                return document(JSONText(try DisplayText(String(decoding: bytes, as: UTF8.self))))
            } catch {
                return document(JSONText(error))
            }
        }
    }

    private static func document(_ json: JSONText) -> String {
        let memory = json.memory
        defer { memory.deallocate() }
        let count = Int(memory.loadUnaligned(as: UInt32.self))
        return String(
            decoding: UnsafeRawBufferPointer(start: memory + 4, count: count),
            as: UTF8.self
        )
    }

    private static func standardInput() -> [UInt8] {
        var input: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = Glibc.read(0, &part, part.count), count > 0 {
            input += part.prefix(count)
        }
        return input
    }
}

func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: byteCount, alignment: 4)
}
