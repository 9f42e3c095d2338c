"""The operator's commands for web devices."""

import subprocess
import unittest

from verifier import PROGRAM
from world import PIN, WRONG_PIN, World


class OperatorTests(World):
    def test_account_show_replaces_a_locked_browser_by_a_browser(self):
        self.verifier.set_policy("bank", {"lock": {"failures": 1, "temporaryLocks": 0}})
        self.addCleanup(self.verifier.set_policy, "bank", {})
        self.activate(PIN)
        self.assertNotIn("activation create", self.shown_account())
        self.assertEqual(self.device("checkPIN", WRONG_PIN)["code"], "credentialLocked")
        [purpose, command] = self.shown_account().splitlines()[-1].split("\t")
        self.assertEqual(purpose, "To replace the locked browser")
        self.assertEqual(
            command, "countersignd activation create %s --web --config %s"
            % (self.verifier.account, self.verifier.config))

    def test_a_verifier_without_the_page_creates_no_activation_for_a_browser(self):
        words = ["activation", "create", self.verifier.account, "--config", str(self.verifier.config)]
        refused = subprocess.run(
            [PROGRAM, *words, "--web"], capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertEqual(refused.stdout, "")
        self.assertIn("this verifier serves no page for web devices", refused.stderr)
        self.assertIn("hint: set server.web in the configuration of each verifier", refused.stderr)
        subprocess.run([PROGRAM, *words], capture_output=True, check=True)

    def shown_account(self):
        return self.verifier.command("account", "show", self.verifier.account)


if __name__ == "__main__":
    unittest.main()
