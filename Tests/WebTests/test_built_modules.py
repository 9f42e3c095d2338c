"""The page with the reader and Argon2id that `make web` builds, and a real verifier."""

import json

from impostor import Signer, base64url, to_base64url
from pages import BUILT
from world import PIN, WRONG_PIN, World


class BuiltModules(World):
    def setUp(self):
        if not BUILT:
            print("Not tested: the page with WebAssembly, which make web builds.")
            self.skipTest("make web did not run")
        super().setUp()
        self.open(isBuilt=True)

    def test_an_approval_of_what_the_verifier_s_own_reader_shows(self):
        self.activate()
        transaction = self.verifier.ask("Apples", 123456789)
        result = self.expect("done", self.device("transaction", transaction["id"]))
        content = result["value"]["content"]
        self.assertEqual(content["amounts"], ["1 234 567.89 EUR"])
        self.assertEqual(content["payees"], [
            {"name": "Grocer", "account": "DE89 3704 0044 0532 0130 00"}])
        self.expect("authenticationFailed", self.device("approve", transaction["id"], WRONG_PIN))
        self.expect("done", self.device("approve", transaction["id"], PIN))
        self.assertEqual(self.verifier.state(transaction), "approved")

    def test_texts_that_must_not_be_displayed(self):
        self.activate()
        transaction = self.verifier.ask("Apples")
        scalar = (self.verifier.folder / "keys/response").read_text().split()[0]
        signer = Signer(bytes.fromhex(scalar))

        def rule(call):
            answer = call.forward()
            if call.route != "transaction":
                return answer
            value = json.loads(answer.body)
            canonical = base64url(value["transaction"])
            # A Cyrillic letter in a Latin word, in the same number of bytes.
            value["transaction"] = to_base64url(
                canonical.replace(b"Apples", "\u0410ples".encode()))
            return signer.answer(call, value)

        self.pages.rule = rule
        result = self.expect("transactionNotDisplayable",
                             self.device("transaction", transaction["id"]))
        self.assertNotIn("value", result)

    def test_a_device_name_that_must_not_be_displayed(self):
        activation = self.verifier.activation()
        before = len(self.pages.calls)
        self.expect("deviceNameInvalid",
                    self.device("claim", activation["id"], activation["code"], "\u0410nna"))
        self.assertEqual(len(self.pages.calls), before)
        self.expect("done", self.device("claim", activation["id"], activation["code"], "Anna"))
