import FoundationEssentials
import Glibc

/// The table of one run; each line is printed as soon as it is known.
struct Report {
    let machine = Machine()
    private(set) var outcomes: [Outcome] = []
    /// The names of the benchmarks that failed.
    private(set) var failures: [String] = []
    /// The names of the benchmarks for which this machine lacks something.
    private var notMeasured: [String] = []
    private var lines: [String] = []

    init(of benchmarks: [Benchmark], _ scale: Scale) async {
        add(machine.description)
        if scale == .full { add(Table.head) }
        for benchmark in benchmarks {
            do {
                let outcome = try await benchmark.run(scale)
                outcomes.append(outcome)
                add(scale == .full ? Table.line(for: outcome) : "\(outcome.name) runs")
            } catch let lack as NotMeasured {
                notMeasured.append(benchmark.name)
                let missing = lack.missing.joined(separator: ", ")
                add("Not measured: \(benchmark.name). Missing: \(missing)")
            } catch {
                failures.append(benchmark.name)
                add("\(benchmark.name) FAILED: \(error)")
            }
        }
        if !failures.isEmpty { add("Failed: \(failures.joined(separator: ", "))") }
    }

    private mutating func add(_ line: String) {
        print(line)
        // The reader of a pipe gets each line at once.
        fflush(nil)
        lines.append(line)
    }

    /// Writes `.build/bench/results.json` and `.build/bench/table.txt`.
    func write() throws {
        let folder = Repository.path.appending(path: ".build/bench")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let document = Document(
            machine: machine,
            benchmarks: outcomes,
            failed: failures,
            notMeasured: notMeasured
        )
        try encoder.encode(document).write(to: folder.appending(path: "results.json"))
        let table = lines.joined(separator: "\n") + "\n"
        let path = folder.appending(path: "table.txt").path
        try table.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private struct Document: Encodable {
        let machine: Machine
        let benchmarks: [Outcome]
        let failed: [String]
        let notMeasured: [String]
    }
}

/// The machine on which the benchmarks ran.
struct Machine: Encodable, CustomStringConvertible {
    let processor: String
    let cores: Int
    let memoryGiB: Int
    let kernel: String
    let date: String

    init() {
        let information = ProcessInfo.processInfo
        processor = Self.value(of: "model name", in: "/proc/cpuinfo") ?? "unknown processor"
        cores = information.activeProcessorCount
        memoryGiB = Int(information.physicalMemory >> 30)
        let release = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        kernel = release?.filter { $0 != "\n" } ?? "unknown"
        date = Date.now.formatted(.iso8601.year().month().day())
    }

    private static func value(of name: String, in file: String) -> String? {
        let text = try? String(contentsOfFile: file, encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(separator: ":").last.map { String($0.drop { $0 == " " }) }
    }

    var description: String {
        "Machine: \(processor), \(cores) cores, \(memoryGiB) GiB, Linux \(kernel), \(date)"
    }
}
