import CommandLineTool
import ConfigurationFiles

struct ReferenceCommand: Command {
    static let name = "reference"
    static let summary = "Print the reference of the configuration or of policies, in Markdown."

    enum Page: String, CaseIterable, ArgumentValue {
        case configuration, policy

        var text: String {
            switch self {
            case .configuration: ConfigurationTable.countersignd.referencePage
            case .policy: PolicyReference.page
            }
        }
    }

    @Argument(help: "The page to print.") private var page: Page

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.write(page.text)
    }
}
