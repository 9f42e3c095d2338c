import CommandLineTool
import ConfigurationFiles

struct ReferenceCommand: Command {
    static let name = "reference"
    static let summary = "Print the reference of the configuration, in Markdown."

    enum Page: String, CaseIterable, ArgumentValue {
        case configuration

        var text: String {
            switch self {
            case .configuration: ConfigurationTable.acs.referencePage
            }
        }
    }

    @Argument(help: "The page to print.") private var page: Page

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.write(page.text)
    }
}
