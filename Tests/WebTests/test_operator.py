"""The operator's commands for web devices."""

import subprocess
import unittest

from verifier import PROGRAM
from world import World


class OperatorTests(World):
    def test_a_verifier_without_the_page_creates_no_activation_for_a_browser(self):
        words = ["activation", "create", self.verifier.account, "--config", str(self.verifier.config)]
        refused = subprocess.run(
            [PROGRAM, *words, "--web"], capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertEqual(refused.stdout, "")
        self.assertIn("this verifier serves no page for web devices", refused.stderr)
        self.assertIn("hint: set server.web in the configuration of each verifier", refused.stderr)
        subprocess.run([PROGRAM, *words], capture_output=True, check=True)


if __name__ == "__main__":
    unittest.main()
