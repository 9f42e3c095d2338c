"""Every result has a sentence of its own, with the next step of the person."""

import pathlib
import re
import unittest

from browser import Browser
from pages import Pages

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Sources/Web/page"
# Members that a sentence needs.
MEMBERS = {
    "attemptsLeft": 1, "lock": {"until": 1}, "waitsUntil": 1, "retryAfterSeconds": 1,
    "finalState": "approved", "reason": "full", "rule": "date",
    "policy": {"minimumDigits": 6, "maximumDigits": 6}, "cause": "network",
    "recovery": {"code": "unknownResult", "cause": "network"},
}


def sources():
    return {file: file.read_text() for file in PAGE.rglob("*.js")}


class Sentences(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages, cls.browser = Pages(), Browser()
        cls.browser.open(cls.pages)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.pages.close()

    def sentence(self, context=None, **answer):
        return self.browser.call("/tests/sentences.js", "of", answer, context or {})

    def test_each_code_of_the_page_and_of_the_verifier(self):
        unexpected = self.browser.call("/tests/sentences.js", "unexpected")
        text = "".join(sources().values())
        refusals = text.split("const refusals = {")[1].split("};")[0]
        codes = set(re.findall(r"code: '(\w+)'", text))
        codes |= set(re.findall(r"^ +(\w+): \[", refusals, re.M))
        codes |= set(re.findall(r"return '(\w+)';", (PAGE / "core.js").read_text()))
        self.assertGreater(len(codes), 35)
        for code in sorted(codes - {"done"}):
            found = self.sentence(**MEMBERS, code=code)
            self.assertNotIn(found, (unexpected, None), code)
            self.assertNotIn("undefined", found, code)

    def test_each_cause_of_an_unknown_result(self):
        text = "".join(sources().values())
        causes = set(re.findall(r"(?:cause: |unknown\()'([^']+)'", text))
        self.assertGreater(len(causes), 3)
        found = {cause: self.sentence(code="unknownResult", cause=cause) for cause in causes}
        self.assertEqual(len(set(found.values())), len(causes), found)

    def test_no_sentence_about_an_answer_that_is_not_signed_claims_to_know_the_result(self):
        for cause in ("not signed", "malformed", "network", "unsigned refusal"):
            self.assertNotIn("Nothing was", self.sentence(code="unknownResult", cause=cause))
        self.assertNotIn("Nothing was", self.browser.call("/tests/sentences.js", "unexpected"))

    def test_only_an_answer_that_an_attacker_may_have_sent_advises_against_the_network(self):
        for cause, is_attack in (
            ("not signed", True), ("the offer", True), ("network", False), ("unsigned refusal", False),
        ):
            found = self.sentence(code="unknownResult", cause=cause)
            self.assertEqual("in this network" in found, is_attack, found)

    def test_a_lock_names_the_input_that_is_locked(self):
        def found(code, decision=None, typed=None, **members):
            context = {"decision": decision, "input": typed, "takesPIN": True}
            return self.sentence(context, code=code, **members)

        wrong = {"code": "authenticationFailed", "attemptsLeft": 1}
        lock = {"code": "credentialLocked", "lock": {"until": 1}}
        ever = {"code": "credentialLocked", "lock": {"never": True}}
        self.assertRegex(
            found(**wrong, decision="approval", typed="pin"),
            "^The PIN is wrong.*locks the PIN for at least 30 minutes, or permanently\\. Nothing")
        self.assertRegex(found(**wrong, decision="approval", typed="pinOrNumber"),
                         "^The PIN or the number is wrong.*locks the PIN")
        self.assertRegex(found(**wrong, decision="approval", typed="number"),
                         "^The number is wrong.*locks approving without a PIN for .*, or this device ")
        self.assertRegex(found(**wrong, decision="rejection", typed="none"),
                         "^The bank did not accept.*locks approving without a PIN for .*, or this device ")
        for typed in ("number", "none"):
            self.assertRegex(found(**lock, decision="approval", typed=typed),
                             "^Approving without a PIN is locked until .*; use the PIN\\.$")
        self.assertRegex(
            found(**lock, decision="approval", typed="pin"), "^The PIN is locked until .*reject")
        for typed in ("number", "none"):
            self.assertNotIn("PIN", found(**ever, decision="approval", typed=typed))
        self.assertIn("PIN", found(**ever, decision="approval", typed="pin"))
        without = self.sentence({"decision": "approval", "input": "none", "takesPIN": False}, **lock)
        self.assertNotIn("use the PIN", without)

    def test_the_pin_is_the_way_out_only_if_it_was_not_typed(self):
        for typed, takes_pin, expected in (
            ("none", True, "Use the PIN."), ("number", True, "Use the PIN."),
            ("none", False, "Use another device."), ("pin", True, "Use another device."),
            ("pinOrNumber", True, "Use another device."),
        ):
            context = {"input": typed, "takesPIN": takes_pin, "decision": "approval"}
            found = self.sentence(context, code="authenticationTypeNotAllowed")
            self.assertTrue(found.endswith(expected), found)

    def test_a_new_pin_that_is_the_old_one_has_a_sentence_of_its_own(self):
        policy = MEMBERS["policy"]
        found = {self.sentence(code="pinPolicy", rule=rule, policy=policy) for rule in ("samePIN", "date")}
        self.assertEqual(len(found), 2)

    def test_only_the_screens_of_a_request_name_approvals_and_rejections(self):
        for answer in (
            {"code": "authenticationFailed", "attemptsLeft": 3},
            {"code": "credentialLocked", "lock": {"until": 1}},
            {"code": "storageFailed", "reason": "full"}, {"code": "storageFailed", "reason": "failed"},
        ):
            elsewhere = self.sentence({"input": "pin"}, **answer)
            for part in ("reject", "Nothing was approved"):
                self.assertNotIn(part, elsewhere)
            here = self.sentence({"input": "pin", "decision": "approval"}, **answer)
            self.assertRegex(here, "still reject|Nothing was approved")

    def test_a_time_is_written_as_in_the_region_of_the_person(self):
        noon = 43_200_000
        for tags, expected in (
            (["fr", "en-GB", "en-US"], "1 Jan 1970"), (["en-US"], "Jan 1, 1970"),
            (["en", "en-GB"], "Jan 1, 1970"), (["fr"], "Jan 1, 1970"),
        ):
            shown = self.browser.call("/approve/texts.js", "shownTime", noon, tags)
            self.assertTrue(shown.startswith(expected), shown)

    def test_a_device_name_has_the_quotation_marks_of_the_language(self):
        for language, expected in (("en", "(“\u2068A\u2069”)"), ("de", "(„\u2068A\u2069“)")):
            self.assertIn(expected, self.browser.call("/tests/sentences.js", "namedDevice", language, "A"))

    def test_a_device_name_from_right_to_left_does_not_reorder_the_sentence(self):
        change = {"kind": "deviceRevoked", "deviceName": "אבג 12"}
        found = self.browser.call("/tests/sentences.js", "ofChange", change, "bank main 1")
        self.assertIn("(“\u2068אבג 12\u2069”)", found)

    def test_each_text_is_used(self):
        text = (PAGE / "texts.js").read_text().split("const german")[0]
        others = "".join(source for file, source in sources().items() if file.name != "texts.js")
        for name in re.findall(r"^    (\w+):", text, re.M):
            self.assertTrue(re.search(r"texts\.%s\b|'%s'" % (name, name), others), name)


if __name__ == "__main__":
    unittest.main()
