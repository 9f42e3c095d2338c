import CommandLineTool
import StrictJSON

/// Variables of the environment that take the place of members of the file.
///
/// A variable is called `COUNTERSIGND_` and its member in capitals, with a line for each dot. No
/// name in a member has a line, and no two members are one in capitals, so a variable means one
/// member. What is not a text is JSON, as in the file: a list with signs of its own between its
/// elements could hold no path or address with such a sign in it.
struct ConfigurationVariables: Sendable {
    static let prefix = "COUNTERSIGND_"

    private struct Setting {
        let member: ConfigurationMember
        let value: JSONValue
    }

    private let settings: [Setting]

    init(_ variables: [String: String]) throws(CommandFailure) {
        var settings: [Setting] = []
        for (name, text) in variables.sorted(by: { $0.key < $1.key }) {
            guard let member = Self.members[name] else { throw .unknownVariable(name) }
            guard !text.isEmpty else { throw .emptyVariable(name) }
            settings.append(Setting(member: member, value: try Self.value(text, of: member)))
        }
        self.settings = settings
        try checkEachIsAlone()
    }

    static func ofEnvironment() throws(CommandFailure) -> ConfigurationVariables {
        try ConfigurationVariables(Environment.variables(beginningWith: prefix))
    }

    /// What of the file is not as it is there; nil where all of it is.
    var names: String? {
        let names = settings.map { $0.member.variable }.joined(separator: ", ")
        return names.isEmpty ? nil : names
    }

    /// The file with these in it.
    func applied(to file: JSONValue) -> JSONValue {
        settings.reduce(file) { file, setting in
            file.setting(setting.member.path.split(separator: ".")[...], to: setting.value)
        }
    }

    /// All of them, a line each, as an example in help.
    static var list: String { members.keys.sorted().map { "    \($0)\n" }.joined() }

    private static let members: [String: ConfigurationMember] = {
        let members = ConfigurationMember.all.filter { !$0.isOfElement }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.variable, $0) })
    }()

    private static func value(
        _ text: String,
        of member: ConfigurationMember
    ) throws(CommandFailure) -> JSONValue {
        if member.isText { return .string(text) }
        do throws(StrictJSON.Failure) {
            return try JSONValue(reading: Array(text.utf8), limits: .message)
        } catch {
            throw .variableIsNoJSON(member.variable)
        }
    }

    /// Which of two came later would decide, and nobody sees that in an environment.
    private func checkEachIsAlone() throws(CommandFailure) {
        for outer in settings {
            let inner = settings.first { $0.member.path.hasPrefix(outer.member.path + ".") }
            if let inner { throw .nestedVariables(outer.member.variable, inner.member.variable) }
        }
    }
}

extension ConfigurationMember {
    var variable: String {
        ConfigurationVariables.prefix + path.uppercased().map { $0 == "." ? "_" : $0 }
    }
}

extension JSONValue {
    /// With this member, in objects that are made where they are missing.
    ///
    /// What is no object stays, and is refused as what it is.
    fileprivate func setting(_ path: ArraySlice<Substring>, to value: JSONValue) -> JSONValue {
        guard let name = path.first.map(String.init) else { return value }
        guard case .object(var members) = self else { return self }
        let rest = path.dropFirst()
        if let index = members.firstIndex(where: { $0.name == name }) {
            let set = members[index].value.setting(rest, to: value)
            members[index] = Member(name: name, value: set)
        } else {
            let set = JSONValue.object([]).setting(rest, to: value)
            members.append(Member(name: name, value: set))
        }
        return .object(members)
    }
}

extension CommandFailure {
    private static let hint = "countersignd help run tells which variables there are"

    fileprivate static func unknownVariable(_ name: String) -> CommandFailure {
        CommandFailure(.malformedInput, "the variable \(name) is unknown", hint: hint)
    }

    fileprivate static func emptyVariable(_ name: String) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "the variable \(name) is empty",
            hint: "give it a value, or unset it: the file's is used then"
        )
    }

    fileprivate static func variableIsNoJSON(_ name: String) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "the variable \(name) is no JSON",
            hint: "its value is written as in the file: '[\"127.0.0.1:8080\"]', 20"
        )
    }

    fileprivate static func nestedVariables(_ outer: String, _ inner: String) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "the variables \(outer) and \(inner) set the same",
            hint: "leave out one of them"
        )
    }
}
