import Cryptography
import Foundation
import TestSupport

@testable import AuthenticationHandler
@testable import OneTimePassword

/// A program that keeps keys in files, and recognises every person unless a test changes that.
struct Sensor {
    private let folder: TemporaryFolder
    let program: BiometricProgram

    init(timeout: Duration = .seconds(120)) throws {
        folder = try TemporaryFolder()
        let script = try folder.write(
            """
            read verb name
            echo "$verb $name" >> "$KEYS/requests"
            # A test can replace the response.
            if [ -e "$KEYS/response" ]; then cat "$KEYS/response"; exit; fi

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
            timeout: timeout
        )
    }

    /// Makes the program print only this response from now on.
    func setResponse(_ text: String) throws { _ = try folder.write(text, to: "response") }

    func recognise() throws {
        try FileManager.default.removeItem(atPath: folder.path + "/response")
    }

    /// The requests so far.
    func requests() throws -> [String] {
        // The file does not exist before the first request: `try?`.
        let text = (try? String(contentsOfFile: folder.path + "/requests", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    func key(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(folder.path)/\(name).key").map { Array($0) }
    }
}

extension BiometricResult {
    /// The bytes of the released key; nil if no key was released.
    var keyBytes: [UInt8]? {
        guard case .success(let key) = self else { return nil }
        return key.withBytes { $0.array }
    }
}
