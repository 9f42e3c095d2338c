import CommandLineTool

/// Looks whether everything is as it should be, and says what to do where it is not.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Look at every part of the verifier, and say what to do."
    static let discussion = """
        Looks at the configuration; the keys, the modes and owners of files, and whether the keys
        open the store; whether the journal is the store's and signed lately; the clock; the room on
        disks; when certificates and tokens end, 14 days before; whether the server answers and is
        ready; and at what could not be delivered. Changes nothing. Run it as the user whom the
        files belong to, whether or not a verifier runs.

        countersignd audit verify is what reads the whole trail.

        Ends with 0 where all is in order, with 1 where there is something to do.
        """

    static let authorities = Option<FilePath?>(
        "authorities",
        help: "Who vouches for the server, in PEM, if not those whom the system trusts."
    )
    static let parameters: [any Parameter] = [authorities, Flag.json, Configuration.option]

    private let path: String
    private let authorities: FilePath?
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        authorities = try arguments[Self.authorities]
        printsJSON = arguments[.json]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let answer = await examined()
        if printsJSON {
            try terminal.output.print(json: answer)
        } else {
            for part in answer.inOrder { try terminal.output.print("\(part) in order") }
            for finding in answer.findings {
                try terminal.output.print("\(finding.part): \(finding.event)")
                try terminal.output.print("  hint: \(finding.remedy)")
            }
        }
        guard answer.findings.isEmpty else {
            throw CommandFailure(.refused, "there is something to do")
        }
    }

    private struct Answer: Encodable {
        var inOrder: [String] = []
        var findings: [Finding] = []
    }

    private func examined() async -> Answer {
        let configuration: Configuration
        do throws(CommandFailure) {
            configuration = try Configuration(readingFileAt: path)
        } catch {
            return Answer(findings: [Finding(.configuration, error)])
        }
        let examination = Diagnostics(
            installation: Installation(configuration: configuration),
            authorities: authorities
        )
        var answer = Answer()
        for part in Diagnostics.Part.allCases {
            let found = await examination.findings(in: part)
            if found.isEmpty { answer.inOrder.append(part.rawValue) }
            // A store that does not open is in the way of several.
            answer.findings += found.filter { finding in
                !answer.findings.contains { $0.event == finding.event }
            }
        }
        return answer
    }
}
