"""A browser device and a real verifier, from the activation to the removal."""

import base64
import hashlib

from world import NEXT_PIN, PIN, WRONG_PIN, World


class Journey(World):
    def test_activate_approve_reject_log_in_change_the_pin_and_remove(self):
        self.activate()
        [account] = self.device("accounts")["value"]
        self.assertEqual((account["enterprise"], account["type"], account["id"]),
                         tuple(self.verifier.account.split("/")))

        apples = self.shown("Apples", returnURL="https://bank.example/done")
        self.expect("done", self.device("approve", apples["id"], PIN))
        self.assertEqual(self.verifier.state(apples), "approved")
        again = self.expect("transactionAlreadyDecided",
                            self.device("approve", apples["id"], PIN))
        self.assertEqual(again["finalState"], "approved")

        pears = self.shown("Pears")
        wrong = self.expect("authenticationFailed", self.device("approve", pears["id"], WRONG_PIN))
        self.assertEqual(wrong["attemptsLeft"], 4)
        self.assertEqual(self.verifier.state(pears), "pending")
        self.expect("done", self.device("reject", pears["id"], "notMe"))
        self.assertEqual(self.verifier.state(pears), "rejected")

        login = self.expect("done", self.device("logIn", "challenge-17", PIN))["value"]
        digest = hashlib.sha256(b"challenge-17").digest()
        self.verifier.call("/logins/%s/redemption" % login, {
            "dataDigest": base64.urlsafe_b64encode(digest).decode().rstrip("=")})

        for new, rule in (("123456", "sequence"), (PIN, "samePIN")):
            refusal = self.expect("pinPolicy", self.device("changePIN", PIN, new))
            self.assertEqual(refusal["rule"], rule)
        self.expect("authenticationFailed", self.device("changePIN", WRONG_PIN, NEXT_PIN))
        self.expect("done", self.device("changePIN", PIN, NEXT_PIN))
        self.expect("authenticationFailed", self.device("checkPIN", PIN))
        self.expect("done", self.device("checkPIN", NEXT_PIN))
        self.open()
        plums = self.shown("Plums")
        self.expect("done", self.device("approve", plums["id"], NEXT_PIN))
        self.assertEqual(self.verifier.state(plums), "approved")

        changes = self.expect("done", self.device("changes"))["value"]["changes"]
        self.assertIsInstance(changes, list)
        self.expect("done", self.device("setPush", "off"))
        self.expect("done", self.device("setPush", "events"))

        removal = self.expect("done", self.device("remove"))["value"]
        self.assertTrue(removal["isKnownToVerifier"])
        self.assertEqual(self.device("accounts")["value"], [])

    def test_consent_and_the_list_of_pending_transactions(self):
        self.activate()
        self.expect("done", self.device("checkPIN", PIN))
        small = self.verifier.ask("Bread", 300, authentication=["consent", "userPIN"])
        large = self.verifier.ask("Bicycle", 90000)
        pending = self.expect("done", self.device("pending"))["value"]
        self.assertEqual([one["content"]["title"] for one in pending["transactions"]],
                         ["Bread", "Bicycle"])
        self.assertEqual(pending["failures"], [])
        self.assertEqual(pending["transactions"][0]["authentication"], ["consent", "userPIN"])
        self.expect("authenticationTypeNotAllowed", self.device("consent", large["id"]))
        self.expect("done", self.device("consent", small["id"]))
        self.assertEqual(self.verifier.state(small), "approved")
        self.assertEqual(self.verifier.state(large), "pending")

    def test_the_number_that_the_bank_shows_is_part_of_the_approval(self):
        self.verifier.set_policy("bank", {"numberMatchingDigits": 2})
        self.addCleanup(self.verifier.set_policy, "bank", {})
        self.activate()
        transaction = self.shown("Apples")
        number = transaction["number"]
        self.expect("numberMistyped", self.device("approve", transaction["id"], PIN, ""))
        self.expect("numberMistyped", self.device("approve", transaction["id"], PIN, "123"))
        other = "%02d" % ((int(number) + 1) % 100)
        self.expect("authenticationFailed", self.device("approve", transaction["id"], PIN, other))
        self.expect("done", self.device("approve", transaction["id"], PIN, number))
        self.assertEqual(self.verifier.state(transaction), "approved")

    def test_a_text_that_cannot_be_a_pin_costs_no_attempt(self):
        self.activate()
        for text in ("", "123", "27190a", "1234567890123", "２７１９０５"):
            self.expect("pinMistyped", self.device("checkPIN", text))
            self.expect("pinMistyped", self.device("changePIN", text, NEXT_PIN))
        self.assertEqual(self.device("checkPIN", WRONG_PIN)["attemptsLeft"], 4)

    def test_a_second_click_sends_nothing(self):
        self.activate()
        transaction = self.shown("Apples")
        results = self.device("approveTwice", transaction["id"], PIN)
        self.assertEqual(sorted(one["code"] for one in results), ["done", "underWay"])
        self.assertEqual(self.verifier.state(transaction), "approved")

    def test_five_wrong_pins_lock_and_a_rejection_still_works(self):
        self.activate()
        transaction = self.shown("Apples")
        for left in (4, 3, 2, 1):
            result = self.device("approve", transaction["id"], WRONG_PIN)
            self.assertEqual(self.expect("authenticationFailed", result)["attemptsLeft"], left)
        last = self.device("approve", transaction["id"], WRONG_PIN)
        locked = self.expect("credentialLocked", last)
        self.assertIn("until", locked["lock"])
        self.expect("credentialLocked", self.device("approve", transaction["id"], PIN))
        [status] = self.expect("done", self.device("status"))["value"]
        user = next(one for one in status["value"]["credentials"] if one["kind"] == "user")
        self.assertEqual(user["lock"], locked["lock"])
        self.assertEqual(self.verifier.state(transaction), "pending")
        self.expect("done", self.device("reject", transaction["id"], "notMe"))
        self.assertEqual(self.verifier.state(transaction), "rejected")

    def test_mistyped_and_wrong_codes(self):
        activation = self.verifier.activation()
        calls = len(self.pages.calls)
        self.expect("activationIDMistyped", self.device("claim", "short", activation["code"]))
        mistyped = ("1" if activation["code"][0] != "1" else "2") + activation["code"][1:]
        self.expect("activationCodeMistyped", self.device("claim", activation["id"], mistyped))
        self.expect("deviceNameInvalid",
                    self.device("claim", activation["id"], activation["code"], "a\u202eb"))
        self.assertEqual(len(self.pages.calls), calls)
        other = self.verifier.activation()
        self.expect("activationCodeInvalid",
                    self.device("claim", other["id"], activation["code"]))
        typed = other["code"].lower().replace("-", " ").replace("0", "o").replace("1", "l")
        offer = self.expect("done", self.device("claim", other["id"].lower(), typed))["value"]
        self.assertEqual(offer["minimumDigits"], 6)
        refusal = self.expect("pinPolicy", self.device("commit", "12345"))
        self.assertEqual(refusal["rule"], "tooShort")
        self.expect("done", self.device("commit", PIN))
        third = self.verifier.activation()
        self.expect("accountHeld",
                    self.device("claim", third["id"], third["code"]))

    def test_a_clock_that_is_ten_minutes_off(self):
        self.open(skew=-600_000)
        self.activate()
        transaction = self.shown("Apples")
        before = len(self.pages.calls)
        self.expect("done", self.device("approve", transaction["id"], PIN))
        self.assertEqual(len(self.pages.calls), before + 1)
        self.open(skew=-600_000)
        before = len(self.pages.calls)
        self.expect("done", self.device("checkPIN", PIN))
        self.assertEqual(len(self.pages.calls), before + 1, "the offset is stored")


class LostAnswers(World):
    def test_the_answer_of_an_approval_is_lost_once_and_always(self):
        self.activate()
        once = self.shown("Apples")
        self.drop_answers("decision", 1)
        self.expect("done", self.device("approve", once["id"], PIN))
        twice = self.shown("Pears")
        self.drop_answers("decision", 2)
        result = self.device("approve", twice["id"], PIN)
        self.expect("transactionAlreadyDecided", result)
        self.assertEqual(result["finalState"], "approved")
        bodies = [call.body for call in self.pages.calls if call.route == "decision"]
        self.assertEqual(bodies[0], bodies[1])
        self.assertEqual(bodies[2], bodies[3])

    def test_a_decision_that_never_arrives_is_unknown_and_changes_nothing(self):
        self.activate()
        transaction = self.shown("Apples")
        self.drop_answers("decision", 2, before=True)
        self.expect("unknownResult", self.device("approve", transaction["id"], PIN))
        self.assertEqual(self.verifier.state(transaction), "pending")
        self.pages.rule = None
        self.expect("done", self.device("approve", transaction["id"], PIN))
        counters = [call.message["envelope"]["counter"]
                    for call in self.pages.calls if call.route == "decision"]
        self.assertEqual(len(set(counters[-3:])), 2)

    def test_the_answer_of_a_commit_is_lost_and_the_page_is_closed(self):
        activation = self.verifier.activation()
        self.expect("done", self.device("claim", activation["id"], activation["code"]))
        self.pages.rule = lambda call: (
            (call.forward(), None)[1] if call.route == "activation/commit"
            else None if call.route == "status" else call.forward())
        self.expect("unknownResult", self.device("commit", PIN))
        self.assertEqual(self.device("accounts")["value"], [])
        self.pages.rule = None
        self.open()
        self.assertEqual(len(self.device("accounts")["value"]), 1)
        self.expect("done", self.device("checkPIN", PIN))

    def test_a_commit_that_never_arrives_leaves_no_account(self):
        activation = self.verifier.activation()
        self.expect("done", self.device("claim", activation["id"], activation["code"]))
        self.pages.rule = lambda call: (
            None if call.route in ("activation/commit", "status") else call.forward())
        self.expect("unknownResult", self.device("commit", PIN))
        self.pages.rule = None
        self.open()
        self.assertEqual(self.device("accounts")["value"], [])
        self.assertEqual(self.browser.call("/tests/profile.js", "recordCount"), 0)
        self.activate()

    def test_an_activation_whose_result_cannot_be_checked_can_be_removed(self):
        activation = self.verifier.activation()
        self.expect("done", self.device("claim", activation["id"], activation["code"]))
        self.pages.rule = lambda call: (
            None if call.route in ("activation/commit", "status") else call.forward())
        self.expect("unknownResult", self.device("commit", PIN))
        result = self.expect("activationUnfinished", self.device("commit", PIN))
        self.assertEqual(result["recovery"], {"code": "unknownResult", "cause": "network"})
        [account] = self.expect("done", self.device("unfinished"))["value"]
        self.assertEqual(account["id"], self.verifier.account.split("/")[2])
        self.expect("done", self.device("removeUnfinished"))
        self.assertEqual(self.expect("done", self.device("unfinished"))["value"], [])
        self.pages.rule = None
        self.activate()
        self.assertEqual(self.expect("done", self.device("unfinished"))["value"], [])

    def test_the_status_of_an_unfinished_activation_precedes_its_deletion(self):
        for arrives, routes, devices in (
            (False, ["status"], []), (True, ["status", "deletion"], ["revoked"]),
        ):
            with self.subTest(arrives):
                self.verifier.add_account()
                activation = self.verifier.activation()
                self.expect("done", self.device("claim", activation["id"], activation["code"]))
                self.pages.rule = lambda call, arrives=arrives: (
                    (arrives and call.forward(), None)[1] if call.route == "activation/commit"
                    else None if call.route == "status" else call.forward())
                self.expect("unknownResult", self.device("commit", PIN))
                self.pages.rule = None
                self.pages.calls.clear()
                removal = self.expect("done", self.device("removeUnfinished"))["value"]
                self.assertEqual(removal, {"isKnownToVerifier": True})
                self.assertEqual([call.route for call in self.pages.calls], routes)
                found = self.verifier.call("/devices")["devices"]
                self.assertEqual([one["status"] for one in found], devices)

    def test_a_commit_that_never_arrives_can_be_repeated(self):
        activation = self.verifier.activation()
        self.expect("done", self.device("claim", activation["id"], activation["code"]))
        self.drop_answers("activation/commit", 2, before=True)
        self.expect("notActivated", self.device("commit", PIN))
        self.expect("done", self.device("claim", activation["id"], activation["code"]))
        self.expect("done", self.device("commit", PIN))

    def test_the_answer_of_a_pin_change_is_lost_and_the_page_is_closed(self):
        self.activate()
        self.pages.rule = lambda call: (
            (call.forward(), None)[1] if call.route == "rekey"
            else None if call.route == "status" else call.forward())
        self.expect("unknownResult", self.device("changePIN", PIN, NEXT_PIN))
        self.pages.rule = None
        self.open()
        self.expect("done", self.device("checkPIN", NEXT_PIN))
        self.expect("authenticationFailed", self.device("checkPIN", PIN))

    def test_a_pin_change_that_never_arrives_changes_nothing(self):
        self.activate()
        self.drop_answers("rekey", 2, before=True)
        self.expect("notChanged", self.device("changePIN", PIN, NEXT_PIN))
        self.expect("done", self.device("checkPIN", PIN))
        self.expect("authenticationFailed", self.device("checkPIN", NEXT_PIN))

    def test_an_older_copy_of_the_profile_moves_forward(self):
        self.activate()
        copy = self.browser.call("/tests/profile.js", "counters")
        for _ in range(3):
            self.expect("done", self.device("checkPIN", PIN))
        self.browser.call("/tests/profile.js", "setCounters", copy)
        before = len(self.pages.calls)
        self.expect("done", self.device("checkPIN", PIN))
        self.assertEqual(len(self.pages.calls), before + 2)

    def test_a_copy_from_before_a_change_of_the_pin_needs_a_new_activation(self):
        self.activate()
        self.browser.call("/tests/profile.js", "keepRecords")
        self.expect("done", self.device("changePIN", PIN, NEXT_PIN))
        self.browser.call("/tests/profile.js", "restoreRecords")
        self.expect("seedReplaced", self.device("checkPIN", PIN))
        # A proposal of this copy has the generation that the verifier has, but is another seed.
        self.expect("seedReplaced", self.device("changePIN", PIN, "918273645546"))
        self.open()
        self.expect("seedReplaced", self.device("checkPIN", PIN))

    def test_offline(self):
        self.activate()
        transaction = self.shown("Apples")
        self.pages.rule = lambda *_: None
        self.expect("unknownResult", self.device("approve", transaction["id"], PIN))
        self.expect("unknownResult", self.device("checkPIN", PIN))
        removal = self.expect("done", self.device("remove"))["value"]
        self.assertFalse(removal["isKnownToVerifier"])
        self.assertEqual(self.verifier.state(transaction), "pending")
