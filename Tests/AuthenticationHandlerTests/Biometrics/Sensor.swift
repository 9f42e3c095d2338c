import Cryptography
import Foundation
import TestSupport

@testable import AuthenticationHandler
@testable import OneTimePassword

/// A program that keeps keys in files, and recognises every person unless a test changes that.
struct Sensor {
    private let folder: TemporaryFolder
    let program: BiometricProgram

    init(timeLimit: Duration = .seconds(120)) throws {
        folder = try TemporaryFolder()
        let script = try folder.write(
            """
            read verb name
            echo "$verb $name" >> "$KEYS/asked"
            if [ -e "$KEYS/say" ]; then cat "$KEYS/say"; exit; fi
            case $verb in
                make) head -c 32 /dev/urandom > "$KEYS/$name.key" ;;
                delete) rm -f "$KEYS/$name.key"; exit ;;
            esac
            if [ -e "$KEYS/$name.key" ]; then echo key; cat "$KEYS/$name.key"
            else echo unavailable; fi
            """,
            to: "sensor.sh"
        )
        program = BiometricProgram(
            path: "/bin/sh",
            arguments: [script],
            environment: ["KEYS": folder.path],
            timeLimit: timeLimit
        )
    }

    /// Has it answer so from now on, word for word.
    func say(_ answer: String) throws { _ = try folder.write(answer, to: "say") }

    func recognise() throws { try FileManager.default.removeItem(atPath: folder.path + "/say") }

    /// The questions so far.
    func asked() throws -> [String] {
        // There is no such file before the first: `try?`.
        let text = (try? String(contentsOfFile: folder.path + "/asked", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    func key(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(folder.path)/\(name).key").map { Array($0) }
    }
}

extension BiometricResult {
    /// The bytes of the key that was released; nil where none was.
    var keyBytes: [UInt8]? {
        guard case .success(let key) = self else { return nil }
        return key.withBytes { $0.array }
    }
}
