"""The requests for the state: one after the other, and rarer after failures."""

import unittest

from shopper import Shopper

# Pauses are noted and shortened, so that no test waits for them.
NOTE_PAUSES = """{
    const { setTimeout } = window;
    window.pauses = [];
    window.setTimeout = (action, pause, ...values) => {
        if (pause === 40000) return setTimeout(action, pause, ...values);
        pauses.push(pause);
        return setTimeout(action, pause / 100, ...values);
    };
}"""
PENDING = (200, b'{"state":"pending"}')


class Polls(Shopper):
    def setUp(self):
        super().setUp()
        script = self.command("Page.addScriptToEvaluateOnNewDocument", source=NOTE_PAUSES)
        self.addCleanup(self.command, "Page.removeScriptToEvaluateOnNewDocument", **script)

    def pauses(self, faults):
        """The pauses after these responses, and the status after the last one."""
        challenge = self.world.challenge()
        challenge.faults = list(faults)
        self.pay(challenge, target="_self")
        # The last request waits.
        self.until(lambda: len(challenge.polls) == len(faults) + 1)
        return self.driver.execute_script(
            "return [pauses, document.querySelector('[role=status]').textContent]")

    def test_a_server_that_responds_at_once_gets_two_requests_a_second(self):
        pauses, status = self.pauses([PENDING] * 4)
        self.assertEqual(pauses, [500] * 4)
        self.assertEqual(status, "Waiting for your approval.")

    def test_failures_are_followed_by_longer_pauses(self):
        faults = [(503,), (200, b"{}"), (200, b"no"), (500, b'{"state":0}')] + [(429,)] * 3
        pauses, status = self.pauses(faults)
        self.assertEqual(pauses, [2000, 4000, 8000, 16000, 32000, 32000, 32000])
        self.assertEqual(status, "Your bank cannot be reached. This page tries again.")

    def test_a_success_ends_the_failures(self):
        pauses, status = self.pauses([(503,), (503,), PENDING, (503,), PENDING])
        self.assertEqual(pauses, [2000, 4000, 500, 2000, 500])
        self.assertEqual(status, "Waiting for your approval.")


class Reloads(Shopper):
    def test_a_page_that_is_over_at_once_is_loaded_once_a_second(self):
        challenge = self.world.challenge()
        challenge.faults = [(200, b'{"state":"over"}')] * 2
        self.pay(challenge)
        self.until(lambda: len(challenge.loads) == 3)
        self.assertGreater(challenge.loads[2] - challenge.loads[0], 1.9)


if __name__ == "__main__":
    unittest.main()
