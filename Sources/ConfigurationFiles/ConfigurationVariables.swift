import CommandLineTool
import FailureTranslation
import StrictJSON

/// Environment variables that override members of the configuration file.
///
/// A variable's name is a prefix such as `COUNTERSIGND_` and the member in capitals, with `_` for each
/// dot. No member contains `_`, and no two members are equal in capitals, so a variable sets exactly
/// one member. A value that is not text is JSON, as in the file: a list with separators could not
/// contain them.
struct ConfigurationVariables: Sendable {
    private struct Setting {
        let place: ConfigurationMember.Place
        let value: JSONValue
    }

    private let settings: [Setting]

    init(
        _ variables: [String: String],
        for table: ConfigurationTable
    ) throws(CommandFailure) {
        let places = table.placesByVariable
        var settings: [Setting] = []
        for (name, text) in variables.sorted(by: { $0.key < $1.key }) {
            guard let place = places[name], place.variable.hasBytes(of: name) else {
                throw Self.failure("variable \(name) is unknown")
                    .suggesting(table.hint(forUnknown: name))
            }
            guard !text.isEmpty else {
                throw Self.failure("variable \(name) is empty")
                    .suggesting("set a value, or unset the variable to use the value in the file")
            }
            settings.append(Setting(place: place, value: try Self.value(text, of: place)))
        }
        self.settings = settings
        try checkForOverlap()
    }

    static func ofEnvironment(
        for table: ConfigurationTable
    ) throws(CommandFailure) -> ConfigurationVariables {
        try ConfigurationVariables(
            Environment.variables(beginningWith: table.prefix),
            for: table
        )
    }

    /// The variables that are set; nil if there are none.
    var names: String? {
        let names = settings.map(\.place.variable).joined(separator: ", ")
        return names.isEmpty ? nil : names
    }

    /// The file with the variables' values.
    func applied(to file: JSONValue) -> JSONValue {
        settings.reduce(file) { file, setting in
            file.setting(setting.place.path.split(separator: ".")[...], to: setting.value)
        }
    }

    private static func value(
        _ text: String,
        of place: ConfigurationMember.Place
    ) throws(CommandFailure) -> JSONValue {
        if place.member.isText { return .string(text) }
        return try translating(JSONValue(reading: Array(text.utf8), limits: .message)) {
            (_: StrictJSON.Failure) in
            failure("variable \(place.variable) is not JSON")
                .suggesting("write the value as in the file: '[\"127.0.0.1:8080\"]' or 20")
        }
    }

    private static func failure(_ reason: String) -> CommandFailure {
        CommandFailure(.malformedInput, "the environment \(reason)")
    }

    /// If one variable set a part of another one's value, their order would decide.
    private func checkForOverlap() throws(CommandFailure) {
        for outer in settings {
            let inner = settings.first { $0.place.path.hasPrefix(outer.place.path + ".") }
            guard let inner else { continue }
            let names = "\(outer.place.variable) and \(inner.place.variable)"
            throw Self.failure("variables \(names) set the same member")
                .suggesting("unset one of them")
        }
    }
}

extension ConfigurationTable {
    /// One variable per line, indented for help.
    package var variableList: String {
        placesByVariable.keys.sorted().map { "    \($0)\n" }.joined()
    }

    fileprivate func hint(forUnknown name: String) -> String {
        let rest = name.dropFirst(prefix.count)
        // Kubernetes sets such variables in a pod for a service with the name of the program.
        guard !["SERVICE_HOST", "SERVICE_PORT", "PORT"].contains(where: { rest.hasPrefix($0) })
        else {
            return "if Kubernetes set it, set enableServiceLinks to false, or rename the service"
        }
        return "\(program) help \(variableHelp) lists the variables"
    }

    fileprivate var placesByVariable: [String: ConfigurationMember.Place] {
        let places = places.filter(\.hasVariable)
        return Dictionary(uniqueKeysWithValues: places.map { ($0.variable, $0) })
    }
}

extension JSONValue {
    /// Sets a member, and creates the objects that contain it.
    ///
    /// A value that is not an object stays, and the parser rejects it.
    fileprivate func setting(_ path: ArraySlice<Substring>, to value: JSONValue) -> JSONValue {
        guard let name = path.first.map(String.init) else { return value }
        guard case .object(var members) = self else { return self }
        let rest = path.dropFirst()
        if let index = members.firstIndex(where: { $0.name.hasBytes(of: name) }) {
            let set = members[index].value.setting(rest, to: value)
            members[index] = Member(name: name, value: set)
        } else {
            let set = JSONValue.object([]).setting(rest, to: value)
            members.append(Member(name: name, value: set))
        }
        return .object(members)
    }
}
