"""An attacker between the page and the verifier: nothing is shown or approved."""

import json
import threading
import time

from impostor import Signer, new_key, point, to_base64url
from pages import Answer
from world import NEXT_PIN, PIN, World

SAMPLES = 12


class Network(World):
    """An attacker without a key changes, swaps, replays and forges responses."""

    def setUp(self):
        super().setUp()
        self.activate()
        self.transaction = self.verifier.ask("Apples")

    def expect_unknown(self, rule, route="transaction"):
        """The rule changes the responses of one route, and the page ignores them."""
        self.pages.rule = lambda call: rule(call) if call.route == route else call.forward()
        result = self.device("transaction", self.transaction["id"])
        self.assertEqual(result["code"], "unknownResult", result)
        self.assertNotIn("value", result)
        return result

    def test_every_byte_of_a_signed_answer(self):
        result = self.browser.call(
            "/tests/alterations.js", "alter", self.verifier.keys, self.transaction["id"])
        print("%d altered answers, all refused" % result["count"])
        self.assertGreater(result["count"], 1_000)
        self.assertEqual(result["accepted"], [])
        self.assertTrue(result["isWhole"])

    def test_altered_answers_on_the_wire(self):
        for place in range(SAMPLES):
            def rule(call, place=place):
                answer = call.forward()
                at = len(answer.body) * place // SAMPLES
                body = answer.body[:at] + bytes([answer.body[at] ^ 1]) + answer.body[at + 1:]
                return answer.changed(body=body)

            self.expect_unknown(rule)

    def test_other_forms_of_an_answer(self):
        def with_field(name, value):
            return lambda call: (lambda answer: answer.changed(
                fields=[one for one in answer.fields if one[0].lower() != name.lower()]
                + ([(name, value)] if value else [])))(call.forward())

        rules = {
            "a media type with a parameter":
                with_field("Content-Type", "application/json; charset=utf-8"),
            "no media type": with_field("Content-Type", None),
            "no signature": with_field("Signature", None),
            "no digest": with_field("Content-Digest", None),
            "another status": lambda call: call.forward().changed(status=202),
            "a redirect": lambda call: Answer(307, [("Location", "/device/v1/status")], b""),
            "a page of a proxy": lambda call: Answer(
                200, [("Content-Type", "text/html")], b"<h1>Log in to this network</h1>"),
            "nothing": lambda call: Answer(200, [], b""),
            "an unsigned refusal": lambda call: Answer(
                401, [("Content-Type", "application/problem+json")],
                b'{"type":"urn:countersign:noAccountActivated","title":"No.","status":401}'),
            "a broken connection": lambda call: None,
        }
        for name, rule in rules.items():
            with self.subTest(name):
                self.expect_unknown(rule)
        self.pages.rule = None
        self.assertEqual(len(self.device("accounts")["value"]), 1)
        self.expect("done", self.device("transaction", self.transaction["id"]))

    def test_an_outage_is_not_taken_for_an_attack(self):
        signature = [("Signature", "countersign=:AAAA:")]
        for status, fields, cause in (
            (500, [], "network"), (502, [], "network"), (503, [], "network"),
            (401, [], "unsigned refusal"), (200, [], "not signed"), (403, [], "not signed"),
            (503, signature, "not signed"), (401, signature, "not signed"),
        ):
            with self.subTest((status, fields)):
                result = self.expect_unknown(lambda call, status=status, fields=fields: Answer(
                    status, [("Content-Type", "application/json"), *fields], b"{}"))
                self.assertEqual(result["cause"], cause)

    def test_a_body_without_an_end_is_not_read(self):
        # More than the browser reads ahead before the page stops it.
        piece, times = b" " * 1_000_000, 4_000
        self.expect_unknown(lambda call: Answer(
            200, [("Content-Type", "application/json")], piece, times))
        self.assertLess(self.pages.sent, len(piece) * times)

    def test_another_key(self):
        stranger = Signer(new_key())
        self.expect_unknown(lambda call: stranger.answer(call, json.loads(call.forward().body)))
        trusted = Signer(bytes.fromhex(
            (self.verifier.folder / "keys/response").read_text().split()[0])).name
        impostor = Signer(new_key(), trusted)
        self.expect_unknown(lambda call: impostor.answer(call, json.loads(call.forward().body)))

    def test_a_replayed_answer(self):
        kept = []

        def keep(call):
            kept.append(call.forward())
            return kept[-1]

        self.pages.rule = keep
        self.expect("done", self.device("transaction", self.transaction["id"]))
        self.expect_unknown(lambda call: kept[0])

    def test_the_answers_of_two_requests_are_swapped(self):
        other = self.verifier.ask("Pears")
        meeting = threading.Barrier(2, timeout=20)
        answers = {}

        def swap(call):
            answers[call.message["transaction"]] = call.forward()
            meeting.wait()
            found = [answer for name, answer in answers.items()
                     if name != call.message["transaction"]]
            meeting.wait()
            return found[0]

        self.pages.rule = lambda call: swap(call) if call.route == "transaction" else call.forward()
        results = self.device("fetchAll", [self.transaction["id"], other["id"]])
        self.assertEqual([result["code"] for result in results], ["unknownResult"] * 2)

    def test_an_earlier_success_does_not_answer_a_decision(self):
        kept = []

        def keep(call):
            kept.append(call.forward())
            return kept[-1]

        self.pages.rule = lambda call: keep(call) if call.route == "pin-check" else call.forward()
        self.expect("done", self.device("checkPIN", PIN))
        self.pages.rule = None
        self.expect("done", self.device("transaction", self.transaction["id"]))
        self.pages.rule = lambda call: kept[0] if call.route == "decision" else call.forward()
        self.expect("unknownResult", self.device("approve", self.transaction["id"], PIN))
        self.assertEqual(self.verifier.state(self.transaction), "pending")


class HostileVerifier(World):
    """Responses with valid signatures that break another rule."""

    def setUp(self):
        super().setUp()
        self.activate()
        self.transaction = self.verifier.ask("Apples")
        scalar = (self.verifier.folder / "keys/response").read_text().split()[0]
        self.signer = Signer(bytes.fromhex(scalar))

    def answered(self, route, value, **options):
        """The responses of a route have this value, or a change of the true one."""
        def rule(call):
            if call.route != route:
                return call.forward()
            answer = call.forward()
            new = value(json.loads(answer.body)) if callable(value) else value
            return self.signer.answer(call, new, **options)

        self.pages.rule = rule

    def test_the_signer_of_these_tests_is_trusted(self):
        self.answered("transaction", lambda value: value)
        self.expect("done", self.device("transaction", self.transaction["id"]))

    def test_content_of_another_transaction_account_or_enterprise(self):
        first, place = self.verifier.account, self.transaction
        self.expect("done", self.device("transaction", place["id"]))
        pears = self.verifier.ask("Pears")
        seen = {}
        self.answered("transaction", lambda value: seen.setdefault("pears", value))
        self.expect("done", self.device("transaction", pears["id"]))
        self.answered("transaction", seen["pears"])
        result = self.device("transaction", place["id"])
        self.assertNotIn("value", self.expect("transactionMismatch", result))

        canonical = self.device("decoded", seen["pears"]["transaction"])
        name = first.split("/")[2]
        other = name[:-1] + str((int(name[-1]) + 1) % 10)
        for old, new in ((name, other), ("bank", "tank")):
            changed = bytes(canonical).replace(old.encode(), new.encode(), 1)
            encoded = self.device("encoded", list(changed))
            self.answered("transaction", {"transaction": encoded})
            result = self.device("transaction", pears["id"])
            self.assertNotIn("value", self.expect("transactionMismatch", result))

    def test_bytes_that_cannot_be_shown(self):
        for encoded in ("", "AAAA", "Q1NUWAE"):
            self.answered("transaction", {"transaction": encoded})
            result = self.device("transaction", self.transaction["id"])
            self.assertNotIn("value", self.expect("transactionNotDisplayable", result))

    def test_a_transaction_that_cannot_be_shown_hides_no_other(self):
        self.verifier.ask("Pears")
        self.answered("transaction", {"transaction": "AAAA"})
        failures = self.expect("done", self.device("pending"))["value"]["failures"]
        self.assertEqual([one["code"] for one in failures], ["transactionNotDisplayable"] * 2)

    def test_malformed_answers(self):
        bodies = [
            b'{"transaction":"AAAA","more":1}', b'{"transaction":"AAAA","transaction":"AAAA"}',
            b'{"transaction":null}', b'{}', b'[]', b'', b'{"transaction":"AAAA="}',
            b'{"transaction":"AAAA","typedDigits":3}', b'\xef\xbb\xbf{"transaction":"AAAA"}',
        ]
        for body in bodies:
            with self.subTest(body):
                self.answered("transaction", body)
                self.expect("unknownResult", self.device("transaction", self.transaction["id"]))
        kind = "application/json; charset=utf-8"
        self.answered("transaction", {"transaction": "AAAA"}, kind=kind)
        self.expect("unknownResult", self.device("transaction", self.transaction["id"]))

    def test_unknown_refusals(self):
        refusals = [("painted", 403, {}), ("deviceRevoked", 404, {}), ("clockSkew", 401, {}),
                    ("deviceRevoked", 403, {"more": 1})]
        for code, status, members in refusals:
            self.pages.rule = lambda call: self.signer.problem(call, code, status, **members)
            self.expect("unknownResult", self.device("transaction", self.transaction["id"]))
        self.assertEqual(len(self.device("accounts")["value"]), 1)

    def test_an_unavailable_server_may_have_changed_the_pin(self):
        def rule(call):
            answer = call.forward()
            if call.route not in ("rekey", "status"):
                return answer
            return self.signer.problem(call, "serverUnavailable", 503)

        self.pages.rule = rule
        self.expect("unknownResult", self.device("changePIN", PIN, NEXT_PIN))
        self.pages.rule = None
        self.expect("done", self.device("checkPIN", NEXT_PIN))

    def lose_first_answer(self, route, code, status, **members):
        """The verifier does the first request, whose response is lost, and refuses all others."""
        seen = []

        def rule(call):
            if call.route != route:
                return call.forward()
            seen.append(call)
            if len(seen) == 1:
                call.forward()
                return None
            return self.signer.problem(call, code, status, **members)

        self.pages.rule = rule

    def test_a_refusal_of_a_repeated_request_does_not_hide_a_lost_response(self):
        for title, code, status, members in (
            ("Pears", "rateLimited", 429, {"retryAfterSeconds": 1}),
            ("Plums", "upgradeRequired", 410, {}),
            ("Cherries", "clockSkew", 401, {"serverTime": round(time.time() * 1000)}),
        ):
            with self.subTest(code):
                transaction = self.shown(title)
                self.lose_first_answer("decision", code, status, **members)
                result = self.device("approve", transaction["id"], PIN)
                self.expect("transactionAlreadyDecided", result)
                self.assertEqual(result["finalState"], "approved")
                self.pages.rule = None
        self.lose_first_answer("pin-check", "rateLimited", 429, retryAfterSeconds=1)
        self.expect("unknownResult", self.device("checkPIN", PIN))

    def test_a_clock_that_cannot_be_stored_does_not_hide_a_lost_response(self):
        transaction = self.shown("Pears")
        time_of_server = round(time.time() * 1000)
        self.lose_first_answer("decision", "clockSkew", 401, serverTime=time_of_server)
        self.browser.call("/tests/profile.js", "failWrites", "QuotaExceededError", "settings")
        result = self.device("approve", transaction["id"], PIN)
        self.assertEqual(self.expect("transactionAlreadyDecided", result)["finalState"], "approved")

    def test_a_limit_after_a_lost_response_does_not_hide_a_change_of_the_pin(self):
        self.lose_first_answer("rekey", "rateLimited", 429, retryAfterSeconds=1)
        self.expect("done", self.device("changePIN", PIN, NEXT_PIN))
        self.pages.rule = None
        self.expect("done", self.device("checkPIN", NEXT_PIN))

    def test_an_unavailable_server_may_have_stored_the_decision(self):
        self.expect("done", self.device("transaction", self.transaction["id"]))

        def rule(call):
            answer = call.forward()
            if call.route != "decision":
                return answer
            return self.signer.problem(call, "serverUnavailable", 503)

        self.pages.rule = rule
        result = self.device("approve", self.transaction["id"], PIN)
        self.assertEqual(self.expect("transactionAlreadyDecided", result)["finalState"], "approved")

    def test_no_answer_uses_up_the_counters_of_the_device(self):
        position = {"generation": "0", "epoch": "0", "minimumCounter": str(2**20 + 5)}
        self.pages.rule = lambda call: (
            self.signer.problem(call, "counterOutOfStep", 409, position=position)
            if call.route == "pin-check" else call.forward())
        self.expect("counterOutOfStep", self.device("checkPIN", PIN))
        self.answered("status", lambda value: dict(value, credentials=[
            dict(one, position=position) for one in value["credentials"]]))
        [status] = self.expect("done", self.device("status"))["value"]
        self.assertEqual(status["code"], "counterOutOfStep")
        self.pages.rule = None
        self.expect("done", self.device("checkPIN", PIN))

    def test_a_key_that_the_trusted_agreement_key_did_not_announce_is_ignored(self):
        thief = Signer(new_key())
        key = to_base64url(point(thief.key.public_key()))
        announcement = {"key": key, "signature": to_base64url(thief.signature(b"new key"))}
        self.answered("status", lambda value: dict(value, nextAgreementKey=announcement))
        [status] = self.expect("done", self.device("status"))["value"]
        self.assertEqual(status["code"], "done")
        self.pages.rule = None
        # The seed of a rekey is sealed for the key that the verifier has.
        self.expect("done", self.device("changePIN", PIN, NEXT_PIN))
        self.expect("done", self.device("checkPIN", NEXT_PIN))

    def test_a_counter_moves_once_for_each_request(self):
        self.pages.calls.clear()
        place = [100]

        def rule(call):
            place[0] += 100
            return self.signer.problem(call, "counterOutOfStep", 409, position={
                "generation": "0", "epoch": "0", "minimumCounter": str(place[0])})

        self.pages.rule = rule
        self.expect("counterOutOfStep", self.device("checkPIN", PIN))
        counters = [call.message["envelope"]["counter"] for call in self.pages.calls]
        self.assertEqual(counters, ["0", "200"])
