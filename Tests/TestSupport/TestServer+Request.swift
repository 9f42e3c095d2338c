import Foundation

extension TestServer.Request {
    package func field(_ name: String) -> String? {
        fields.first { $0[0].lowercased() == name }?[1]
    }

    /// The value at these names of the body.
    package subscript(names: String...) -> Any? {
        // A body that is not JSON has no members: `try?`.
        names.reduce(try? JSONSerialization.jsonObject(with: body)) { value, name in
            (value as? [String: Any])?[name]
        }
    }

    /// The findings of an independent program.
    package func findings(_ words: String...) throws -> String {
        let checker = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "deliveries.py"
        )
        let text: [String: Any] = [
            "method": method, "target": target, "fields": fields,
            "body": body.base64EncodedString(),
        ]
        let process = try FinishedProcess.run(
            "/usr/bin/python3",
            [checker.path] + words,
            input: Array(try JSONSerialization.data(withJSONObject: text))
        )
        return process.output + process.errorOutput
    }
}
