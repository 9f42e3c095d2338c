"""Several accounts, replaced accounts, new keys of the verifier, and the kinds of devices."""

import json
import signal
import threading

from impostor import WEB_POLICY, Impostor, new_key, point, policy, private_key, to_base64url
from world import NEXT_PIN, PIN, WRONG_PIN, World


class Accounts(World):
    def activate_linked(self):
        """Activates two linked accounts with one code."""
        first = self.verifier.account
        self.verifier.add_account()
        self.verifier.command("account", "link", first, self.verifier.account)
        activation = self.verifier.activation()
        offer = self.expect("done", self.device("claim", activation["id"], activation["code"]))
        self.assertEqual(len(offer["value"]["accounts"]), 2)
        self.expect("done", self.device("commit", PIN))
        self.assertEqual(len(self.device("accounts")["value"]), 2)

    def test_linked_accounts_have_one_pin_and_change_it_together(self):
        self.activate_linked()
        self.expect("done", self.device("checkPIN", PIN, 1))
        change = self.expect("done", self.device("changePIN", PIN, NEXT_PIN))["value"]
        self.assertEqual(len(change["changed"]), 2)
        for place in (0, 1):
            self.expect("done", self.device("checkPIN", NEXT_PIN, place))

    def test_an_interrupted_change_of_the_pin_continues(self):
        self.activate_linked()
        self.interrupt_change()
        self.open()
        self.expect("done", self.device("checkPIN", NEXT_PIN, 0))
        self.expect("done", self.device("checkPIN", PIN, 1))
        # Otherwise the accounts would have different PINs.
        other = self.expect("otherNewPIN", self.device("changePIN", PIN, WRONG_PIN))
        self.assertEqual(other["attemptsLeft"], 4)
        self.expect("done", self.device("checkPIN", PIN, 1))
        change = self.expect("done", self.device("changePIN", PIN, NEXT_PIN))["value"]
        self.assertEqual(len(change["changed"]), 1)
        self.expect("done", self.device("checkPIN", NEXT_PIN, 1))

    def interrupt_change(self):
        """Changes the PIN of the first account only."""
        count = []

        def rule(call):
            if call.route == "rekey":
                count.append(1)
            return None if len(count) > 1 and call.route == "rekey" else call.forward()

        self.pages.rule = rule
        result = self.expect("notChanged", self.device("changePIN", PIN, NEXT_PIN))
        self.assertEqual((len(result["changed"]), len(result["remaining"])), (1, 1))
        self.pages.rule = None

    def claim_new(self):
        activation = self.verifier.activation()
        return self.device("claim", activation["id"], activation["code"])

    def test_a_further_activation_waits_for_the_end_of_a_change_of_the_pin(self):
        self.activate_linked()
        self.verifier.add_account()
        self.expect("done", self.claim_new())
        self.interrupt_change()
        self.pages.calls.clear()
        self.expect("pinChangeUnfinished", self.device("commit", PIN))
        self.expect("pinChangeUnfinished", self.device("commit", NEXT_PIN))
        self.expect("pinChangeUnfinished", self.claim_new())
        self.assertNotIn("pin-check", [call.route for call in self.pages.calls])
        self.expect("done", self.device("changePIN", PIN, NEXT_PIN))
        self.expect("done", self.claim_new())
        self.expect("done", self.device("commit", NEXT_PIN))
        for place in (0, 1, 2):
            self.expect("done", self.device("checkPIN", NEXT_PIN, place))

    def test_an_activation_can_replace_the_account_that_a_change_of_the_pin_left(self):
        self.activate_linked()
        self.interrupt_change()
        left = self.verifier.account
        self.verifier.add_account()
        self.verifier.command("account", "link", left, self.verifier.account)
        self.expect("done", self.claim_new())
        self.expect("done", self.device("commit", NEXT_PIN))
        self.assertEqual(len(self.device("accounts")["value"]), 3)
        for place in (0, 1, 2):
            self.expect("done", self.device("checkPIN", NEXT_PIN, place))
        self.assertEqual(self.device("checkPIN", WRONG_PIN)["attemptsLeft"], 4)

    def test_an_account_of_another_page_needs_its_pin_and_costs_no_attempt(self):
        self.expect("done", self.claim_new())
        first = self.browser.tab
        self.browser.open_tab()
        self.open()
        self.verifier.add_account()
        self.activate(NEXT_PIN)
        self.browser.close_tab()
        self.browser.show_tab(first)
        self.pages.calls.clear()
        self.expect("pinSetMeanwhile", self.device("commit", PIN))
        self.assertNotIn("pin-check", [call.route for call in self.pages.calls])
        self.expect("done", self.device("commit", NEXT_PIN))
        self.assertEqual(len(self.device("accounts")["value"]), 2)
        self.assertEqual(self.device("checkPIN", WRONG_PIN)["attemptsLeft"], 4)

    def test_a_second_activation_joins_the_count_of_wrong_codes(self):
        self.activate()
        self.verifier.add_account()
        activation = self.verifier.activation()
        self.expect("done", self.device("claim", activation["id"], activation["code"]))
        self.expect("authenticationFailed", self.device("commit", WRONG_PIN))
        self.assertEqual(len(self.device("accounts")["value"]), 1)
        self.expect("done", self.device("commit", PIN))
        commit = [call for call in self.pages.calls if call.route == "activation/commit"][-1]
        self.assertIn("sibling", commit.message)
        self.assertEqual(len(self.device("accounts")["value"]), 2)
        left = [self.device("checkPIN", WRONG_PIN, place)["attemptsLeft"] for place in (0, 1)]
        self.assertEqual(left, [4, 3])

    def test_the_lists_of_all_accounts_are_requested_at_the_same_time(self):
        self.activate_linked()
        self.verifier.add_account()
        self.activate()
        lists = threading.Barrier(3, timeout=20)

        def rule(call):
            if call.route == "transactions":
                # One after the other, each request would wait for the others until it fails.
                lists.wait()
            return call.forward()

        self.pages.rule = rule
        self.assertEqual(self.expect("done", self.device("pending"))["value"]["failures"], [])

    def test_two_devices_of_a_replaced_account_list_a_request_once(self):
        self.activate()
        old = self.verifier.account
        self.verifier.add_account()
        self.activate()
        self.verifier.command("account", "replace", old, self.verifier.account, "--yes")
        transaction = self.verifier.ask("Apples")
        found = self.expect("done", self.device("pending"))["value"]
        self.assertEqual([one["content"]["id"] for one in found["transactions"]], [transaction["id"]])
        self.assertEqual(found["failures"], [])
        accounts = self.device("accounts")["value"]
        self.assertEqual([one["id"] for one in accounts], [self.verifier.account.split("/")[2]] * 2)
        self.expect("done", self.device("approve", transaction["id"], PIN))

    def test_a_replaced_account_keeps_its_device(self):
        self.activate()
        old = self.verifier.account
        self.verifier.add_account()
        self.verifier.command("account", "replace", old, self.verifier.account, "--yes")
        transaction = self.verifier.ask("Apples")
        self.expect("done", self.device("transaction", transaction["id"]))
        [account] = self.device("accounts")["value"]
        self.assertEqual(account["id"], self.verifier.account.split("/")[2])
        self.expect("done", self.device("approve", transaction["id"], PIN))

    def test_a_failed_status_of_a_replaced_account_is_reported_as_such(self):
        self.activate()
        old = self.verifier.account
        self.verifier.add_account()
        self.verifier.command("account", "replace", old, self.verifier.account, "--yes")
        transaction = self.verifier.ask("Apples")
        self.pages.rule = lambda call: None if call.route == "status" else call.forward()
        failure = self.expect("unknownResult", self.device("transaction", transaction["id"]))
        self.assertEqual(failure["cause"], "network")
        self.pages.rule = None
        self.expect("done", self.device("transaction", transaction["id"]))

    def test_without_a_network_an_account_has_one_failure(self):
        self.activate()
        for title in ("Apples", "Pears"):
            self.verifier.ask(title)
        self.pages.rule = lambda call: None if call.route == "transaction" else call.forward()
        [failure] = self.expect("done", self.device("pending"))["value"]["failures"]
        self.assertEqual(failure["code"], "unknownResult")
        # The request and its retry.
        self.assertEqual([call.route for call in self.pages.calls].count("transaction"), 2)

    def add_account_at(self, bank, changes=None):
        """The current account is a new one of another bank."""
        if bank not in self.verifier.tokens:
            self.verifier.add_enterprise(bank, changes)
        self.verifier.add_account(bank)

    def test_an_account_that_is_locked_permanently_stops_no_activation_and_is_named(self):
        self.add_account_at("strict", {"lock": {"failuresInWindow": 5}})
        self.activate()
        self.verifier.add_account()
        self.activate()
        for _ in range(5):
            locked = self.device("checkPIN", WRONG_PIN)
        self.assertEqual(self.expect("credentialLocked", locked)["lock"], {"never": True})
        # The account of the second bank checks the PIN.
        self.add_account_at("third")
        self.expect("done", self.claim_new())
        self.expect("authenticationFailed", self.device("commit", WRONG_PIN))
        self.expect("done", self.device("commit", PIN))
        for _ in range(2):
            self.expect("done", self.device("remove", 1))
        self.add_account_at("third")
        self.expect("done", self.claim_new())
        failure = self.expect("credentialLocked", self.device("commit", PIN))
        self.assertEqual(failure["account"]["enterprise"], "strict")

    def test_no_first_pin_is_chosen_while_an_activation_of_another_bank_is_unfinished(self):
        self.expect("done", self.claim_new())
        self.pages.rule = lambda call: (
            None if call.route in ("activation/commit", "status") else call.forward())
        self.expect("unknownResult", self.device("commit", PIN))
        self.add_account_at("third")
        self.expect("done", self.claim_new())
        self.expect("activationUnfinished", self.device("commit", NEXT_PIN))
        self.assertEqual(self.browser.call("/tests/profile.js", "recordCount"), 1)
        self.pages.rule = None
        self.expect("done", self.device("commit", NEXT_PIN))

    def test_a_revoked_device_can_be_activated_again(self):
        self.activate()
        [device] = self.device("accounts")["value"]
        self.verifier.command("revoke", self.verifier.account, device["device"], "--yes")
        self.expect("deviceRevoked", self.device("checkPIN", PIN))
        self.activate()
        [again] = self.device("accounts")["value"]
        self.assertNotEqual(again["device"], device["device"])
        self.expect("done", self.device("checkPIN", PIN))

    def test_no_pin_is_accepted_unchecked_if_the_device_is_revoked_meanwhile(self):
        self.activate()
        [device] = self.device("accounts")["value"]
        first = self.verifier.account
        self.verifier.add_account()
        offer = self.expect("done", self.claim_new())["value"]
        self.assertFalse(offer["needsNewPIN"])
        self.verifier.command("revoke", first, device["device"], "--yes")
        self.expect("deviceRevoked", self.device("commit", WRONG_PIN))
        self.assertEqual(len(self.device("accounts")["value"]), 1)


    def test_an_activation_uses_the_keys_that_the_verifier_has_now(self):
        other = to_base64url(point(private_key(new_key()).public_key()))
        former = dict(self.verifier.keys, agreementKey=other, signingKey=other)
        self.expect("done", self.device("open", former, {"current": self.verifier.keys}))
        self.activate()
        self.expect("done", self.device("changePIN", PIN, NEXT_PIN))
        self.expect("done", self.device("checkPIN", NEXT_PIN))

    def test_an_activation_ignores_keys_of_another_verifier(self):
        for changes in ({"origin": "https://other.example"}, {"signingKey": "AAAA"}):
            current = {**self.verifier.keys, **changes}
            self.expect("done", self.device("open", self.verifier.keys, {"current": current}))
            self.verifier.add_account()
            self.expect("done", self.claim_new())


class NewKeys(World):
    has_own_parts = True

    def restart(self, changes):
        """Starts the verifier again with another configuration."""
        text = self.verifier.config.read_text()
        for old, new in changes.items():
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.verifier.config.write_text(text)
        self.verifier.process.send_signal(signal.SIGTERM)
        self.verifier.process.wait(30)
        self.verifier.log.write_bytes(b"")
        self.verifier.start()

    def test_the_verifier_replaces_both_keys(self):
        self.activate()
        folder = self.verifier.folder / "keys"
        for name in ("next-agreement", "next-response"):
            scalar = bytes([name.count("e")] * 31 + [7]).hex()
            (folder / name).write_text(scalar + "\n")
            (folder / name).chmod(0o600)
        self.restart({
            '// "nextAgreementKey"': '"nextAgreementKey"',
            '// "nextResponseKey"': '"nextResponseKey"',
        })
        # Its response names the next keys, so the page requests the status.
        self.expect("done", self.device("changes"))
        self.assertEqual([call.route for call in self.pages.calls][-2:], ["account/changes", "status"])
        self.expect("done", self.device("changes"))
        self.assertEqual(self.pages.calls[-1].route, "account/changes")
        self.restart({
            '"agreementKey": "keys/agreement"': '"agreementKey": "keys/next-agreement"',
            '"nextAgreementKey"': '// "nextAgreementKey"',
            '"responseKey": "keys/response"': '"responseKey": "keys/next-response"',
            '"nextResponseKey"': '// "nextResponseKey"',
        })
        # The response counts, although the new key cannot be stored yet.
        self.browser.call("/tests/profile.js", "failWrites", "QuotaExceededError")
        self.expect("done", self.device("changes"))
        self.open()
        self.expect("done", self.device("checkPIN", PIN))
        self.expect("done", self.device("changePIN", PIN, NEXT_PIN))
        self.open()
        self.expect("done", self.device("checkPIN", NEXT_PIN))
        # The old response key no longer signs anything.
        self.restart({'keys/next-response': 'keys/response'})
        self.expect("unknownResult", self.device("checkPIN", NEXT_PIN))
        self.restart({'keys/response': 'keys/next-response'})
        self.expect("done", self.device("checkPIN", NEXT_PIN))


class Kinds(World):
    """The kind of device that an activation is for, in the current form of the policy."""

    def claim(self, policy_bytes, **options):
        impostor = Impostor(self.pages, policy_bytes)
        self.pages.rule = impostor
        self.browser.open(self.pages)
        self.expect("done", self.device("open", impostor.keys, options))
        return impostor, self.device("claim", *impostor.activation.values())

    def test_an_activation_for_an_app_is_refused_before_the_commit(self):
        impostor, result = self.claim(policy(1))
        self.expect("notForBrowsers", result)
        self.assertEqual(impostor.routes, ["activation/claim"])

    def test_an_activation_for_a_web_device(self):
        _, result = self.claim(policy(2))
        self.assertFalse(self.expect("done", result)["value"]["needsPasskey"])
        self.expect("done", self.device("commit", PIN))

    def test_policies_of_another_form_stop_the_activation(self):
        web = policy(2)
        for content in (policy(2, version=1), policy(0), policy(4), web[:-1], web + b"\0"):
            impostor, result = self.claim(content)
            self.expect("policyInvalid", result)
            self.assertEqual(impostor.routes, ["activation/claim"])

    def test_an_activation_that_needs_a_passkey(self):
        impostor, result = self.claim(policy(3))
        self.expect("passkeyMissing", result)
        impostor, result = self.claim(policy(3), passkeys={"output": 0})
        self.assertTrue(self.expect("done", result)["value"]["needsPasskey"])
        self.expect("passkeyFailed", self.device("commit", PIN))
        self.assertEqual(impostor.routes, ["activation/claim"])
        codes = []
        for output in (1, 1, 2):
            impostor, result = self.claim(policy(3), passkeys={"output": output})
            self.pages.rule = impostor
            if not self.device("accounts")["value"]:
                self.expect("done", self.device("commit", PIN))
            self.browser.call("/tests/profile.js", "setCounters", ["5"])
            self.expect("done", self.device("checkPIN", PIN))
            codes.append(self.pages.calls[-1].message["envelope"]["code"])
        self.assertEqual(codes[0], codes[1])
        self.assertNotEqual(codes[0], codes[2], "another authenticator's output")

    def test_the_person_is_prompted_once_for_the_passkey(self):
        self.verifier.set_policy("bank", {"webDevices": {"allowed": True, "requiresPRF": True}})
        self.addCleanup(self.verifier.set_policy, "bank", {})
        self.open(passkeys={"output": 1})
        self.activate()
        self.expect("done", self.device("changePIN", PIN, NEXT_PIN))
        self.assertEqual(self.device("promptCount"), 1)
        self.expect("done", self.device("checkPIN", NEXT_PIN))
        self.assertEqual(self.device("promptCount"), 1)
        self.verifier.add_account()
        self.activate(NEXT_PIN)
        self.assertEqual(self.device("promptCount"), 1)
        self.expect("done", self.device("changePIN", NEXT_PIN, PIN))
        self.assertEqual(self.device("promptCount"), 1)

    def test_an_offer_with_another_code_is_not_used(self):
        impostor = Impostor(self.pages, WEB_POLICY)
        typed = dict(impostor.activation)
        impostor.activation["code"] = "7K3MZ-Q0W9X-4VYTR-8P1Y1"
        self.pages.rule = impostor
        self.device("open", impostor.keys)
        self.expect("unknownResult", self.device("claim", *typed.values()))
        self.assertEqual(set(impostor.routes), {"activation/claim"})

    def test_a_receipt_of_other_outcomes_is_not_used(self):
        impostor, result = self.claim(policy(2))
        self.expect("done", result)

        def rule(call):
            answer = impostor(call)
            if call.route != "activation/commit":
                return answer
            value = dict(json.loads(answer.body), outcomes=["tooManyDevices"])
            return impostor.signer.answer(call, value)

        self.pages.rule = rule
        self.expect("unknownResult", self.device("commit", PIN))
        self.assertEqual(self.browser.call("/tests/profile.js", "recordCount"), 1)
        self.assertEqual(self.device("accounts")["value"], [])
