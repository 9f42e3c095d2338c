"""The verifier is away when the page opens, and the page shows the request without a button."""

import unittest

from buyer import Bank, Buyer, Window
from parts import shared


class LateBank(Bank):
    """Its verifier is stopped by the test."""


class LateVerifier(Buyer):
    @classmethod
    def setUpClass(cls):
        bank = shared(LateBank)
        window = Window(bank)
        cls.addClassCleanup(window.close)
        cls.use(bank, window)

    def test_the_request_follows_by_itself(self):
        self.order(frame="03")
        self.bank.verifier.process.terminate()
        self.bank.verifier.process.wait(30)
        self.press("Continue")
        self.is_in_frame = True
        self.see_heading("Approve on your device")
        status = self.find("[role=status]")
        self.assertEqual(status.get_attribute("data-state"), "unsent")
        self.assertIn("cannot reach your device", status.text)
        self.bank.verifier.start()
        self.until(lambda: "Waiting for your approval" in self.text("[role=status]"))
        self.approve()
        self.see_end("Y")
        self.assertEqual(self.count(r"POST /3ds/page/.*"), 0)


if __name__ == "__main__":
    unittest.main()
