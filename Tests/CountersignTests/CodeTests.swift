import Cryptography
import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `countersign login and otp` {
        private let person: Person

        init() throws {
            person = try Person.activated()
        }

        @Test func `print a login id that the bank redeems once, for the signed data`()
            throws
        {
            let challenge = "challenge 17"
            let file = try person.home.write(challenge, to: "challenge")
            let run = try person.run("login", "--sign-file", file, typing: Person.pin)
            #expect(run.exitCode == 0, "\(run.errorOutput)")
            let login = run.output.dropLast()
            #expect(try redeem(login, for: "challenge 18")["code"] == "dataMismatch")
            let redeemed = try redeem(login, for: challenge)
            #expect(redeemed["authentication"] == "userPIN")
            #expect(try redeem(login, for: challenge)["code"] == "loginRedeemed")

            let json = try person.run("login", "--json", typing: Person.pin).output
            #expect(json.contains(/^\{"login":"[^"]+"\}\n$/))
            #expect(try person.run("login", typing: "271906").exitCode == 1)
            #expect(try person.countersign("login", "--with", "consent").exitCode == 64)
            #expect(try person.countersign("login", "--with", "biometric").exitCode == 1)
            #expect(try person.run("login", "--sign", "a", "--sign-file", "b").exitCode == 64)
            #expect(try person.run("login", "--sign", "", typing: Person.pin).exitCode == 64)
        }

        private func redeem(_ login: some StringProtocol, for data: String) throws -> Fetched {
            let bytes = Array(data.utf8)
            let digest = try HashAlgorithm.sha256.digest(of: bytes.span).array
            let text = TextEncoding.base64URL.encode(digest.span)
            return try person.backend.post(
                "/logins/\(login)/redemption",
                #"{"dataDigest":"\#(text)"}"#
            )
        }

        @Test func `print a code that the bank accepts once, with or without data`() throws {
            let device = try #require(try person.device())
            /// The error code; nil if the code is correct.
            func errorCode(of code: String, _ more: String = "") throws -> String? {
                let response = try person.backend.post(
                    "/devices/\(device)/codes",
                    #"{"code":"\#(code.dropLast())"\#(more)}"#
                )
                return response.status == 204 ? nil : response["code"]
            }
            let code = try person.run("otp", typing: Person.pin).output
            #expect(code.contains(/^\d{8}\n$/))
            #expect(try errorCode(of: code) == nil)
            #expect(try errorCode(of: code) == "codeUsed")
            let signed = try person.run("otp", "--sign", "DE89 47.11", typing: Person.pin).output
            let bytes = Array("DE89 47.11".utf8)
            let data = TextEncoding.base64URL.encode(bytes.span)
            #expect(try errorCode(of: signed) == "authenticationFailed")
            #expect(try errorCode(of: signed, #","data":"\#(data)""#) == nil)
            let wrong = try person.run("otp", typing: "271906")
            #expect(wrong.exitCode == 0)
            #expect(try errorCode(of: wrong.output) == "authenticationFailed")
            #expect(try person.run("otp", "--sign", "", typing: Person.pin).exitCode == 64)
        }

        @Test func `apply to the named account`() throws {
            let account = "bank/main/\(person.account)"
            #expect(try person.run("otp", "--account", account, typing: Person.pin).exitCode == 0)
            let other = try person.run("otp", "--account", account + "0", typing: Person.pin)
            #expect(other.exitCode == 66)
            let hint = "\nhint: countersign accounts lists the accounts of this machine\n"
            #expect(other.errorOutput.hasSuffix(hint), "\(other)")
            let login = try person.run("login", "--account", account + "0", typing: Person.pin)
            #expect(login.exitCode == 66)
            #expect(login.errorOutput.hasSuffix(hint), "\(login)")
            let removal = try person.countersign("remove", account + "0", "--yes")
            #expect(removal.errorOutput.hasSuffix(hint), "\(removal)")
            let malformed = try person.run("otp", "--account", "4711", typing: Person.pin)
            #expect(malformed.exitCode == 64)
            #expect(malformed.errorOutput.contains("as countersign accounts shows it\n"))
        }

        @Test(arguments: ["login", "otp"])
        func `name the account in the prompt if there are several`(_ command: String) throws {
            let one = try person.onTerminal(command)
            try one.wait(for: "PIN: ", typing: Person.pin + "\n")
            #expect(try one.end() == 0)
            #expect(!one.screen.contains("PIN of"))
            let backend = try person.bank.newAccount(person.account + "-2", at: "bank")
            let issued = try backend.post("/activations")
            let (id, code) = (try #require(issued["id"]), try #require(issued["code"]))
            #expect(try person.run("activate", id, typing: code, Person.pin).exitCode == 0)
            let first = "bank/main/\(person.account)"
            let several = try person.onTerminal(command)
            try several.wait(for: "PIN of \(first): ", typing: Person.pin + "\n")
            #expect(try several.end() == 0)
            let named = try person.onTerminal(command, "--account", first + "-2")
            try named.wait(for: "PIN: ", typing: Person.pin + "\n")
            #expect(try named.end() == 0)
        }
    }
}
