import ConfigurationFiles
import Foundation
import ProgramTesting
import StrictJSON
import TestSupport
import Testing

@testable import Verification
@testable import countersignd

@Suite struct `Generated references` {
    /// The pages in docs, and the commands that print them.
    private static let pages = [
        ("operate/configuration.md", ["reference", "configuration"]),
        ("operate/policy.md", ["reference", "policy"]),
        ("reference/countersignd.md", ["manual", "--markdown"]),
    ]

    @Test(arguments: pages)
    func `the page in docs is current`(_ page: String, _ words: [String]) throws {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/\(page)")
        let stored = try String(contentsOf: path.standardized, encoding: .utf8)
        let printed = try FinishedProcess.run(BuiltProducts.path(of: "countersignd"), words)
        #expect(printed.exitCode == 0)
        let command = "countersignd \(words.joined(separator: " ")) >docs/\(page)"
        #expect(stored == printed.output, "run \(command)")
    }

    @Test(arguments: ConfigurationTable.countersignd.places.map(\.path))
    func `every member of the configuration is described`(_ path: String) throws {
        let table = ConfigurationTable.countersignd
        #expect(table.referencePage.contains("| `\(path)` | "))
        let place = try #require(table.places.first { $0.path == path })
        #expect(place.member.text.hasSuffix(".") && place.member.text.count < 400)
    }
}

@Suite struct `The policy reference` {
    /// `{"lock": {"failures": 3}}` for the path `lock.failures`.
    private static func document(_ path: String, _ value: String) -> String {
        path.split(separator: ".").reversed().reduce(value) { "{\"\($1)\": \($0)}" }
    }

    /// Whether the verifier accepts the value; a value that makes guessing too easy is in its limits.
    private static func accepts(_ path: String, _ value: String) throws -> Bool {
        do throws(EnterprisePolicy.Failure) {
            _ = try EnterprisePolicy(document: document(path, value))
            return true
        } catch .guessing {
            return true
        } catch .violations {
            return false
        } catch {
            throw error
        }
    }

    @Test(arguments: PolicyMember.all.map(\.path))
    func `the limits are those of the verifier`(_ path: String) throws {
        let member = try #require(PolicyMember.all.first { $0.path == path })
        switch member.value {
        case .number(let limits):
            #expect(try Self.accepts(path, "\(limits.lowerBound)"))
            #expect(try Self.accepts(path, "\(limits.upperBound)"))
            #expect(try !Self.accepts(path, "\(limits.lowerBound - 1)"))
            #expect(try !Self.accepts(path, "\(limits.upperBound + 1)"))
        case .choice(let numbers):
            for number in -1...10 {
                #expect(try Self.accepts(path, "\(number)") == numbers.contains(number))
            }
        case .boolean:
            for value in ["false", "true"] { #expect(try Self.accepts(path, value)) }
        case .array(let values):
            #expect(try Self.accepts(path, "[\(values.joined(separator: ", "))]"))
        }
    }

    @Test(arguments: PolicyMember.all.map(\.path))
    func `the defaults are those of the verifier`(_ path: String) throws {
        let member = try #require(PolicyMember.all.first { $0.path == path })
        guard let fallback = member.fallback else {
            #expect(["minimumTokenDigits", "webDevices.ceilings"].contains(path))
            return
        }
        let policy = try EnterprisePolicy(document: Self.document(path, fallback))
        #expect(policy == EnterprisePolicy.default)
    }

    @Test func `the reference contains every member`() throws {
        let objects = ["lock", "pin", "newDevice", "webDevices", "cards"]
        let document = #"{"x": 1\#(objects.map { #", "\#($0)": {"x": 1}"# }.joined())}"#
        do throws(EnterprisePolicy.Failure) {
            _ = try EnterprisePolicy(document: document)
            Issue.record("accepted")
        } catch .violations(let violations) {
            // The violation of an unknown member lists all members.
            let names = violations.flatMap { violation -> [String] in
                let object = violation.pointer.dropFirst().dropLast().replacing("/", with: ".")
                let list = violation.sentence.dropLast().split(separator: ": ")[1]
                return list.split(separator: ", ").map { "\(object)\($0)" }
            }
            let members = Set(names).subtracting(objects)
            #expect(members == Set(PolicyMember.all.map(\.path)))
        } catch {
            throw error
        }
    }
}
