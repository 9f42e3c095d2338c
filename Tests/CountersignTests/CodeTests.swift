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
            let malformed = try person.run("otp", "--account", "4711", typing: Person.pin)
            #expect(malformed.exitCode == 64)
            #expect(malformed.errorOutput.contains("as countersign accounts shows it\n"))
        }
    }
}
