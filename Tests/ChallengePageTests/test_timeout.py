"""A request expires, on a page with scripts and on one without, and so does the second one."""

import unittest

from buyer import Bank, Buyer, Window
from parts import shared
from shopper import profile_without_scripts


class ShortBank(Bank):
    """Approvals have the shortest time that the configuration permits."""

    members = {"approvalSeconds": 30}


class Timeout(Buyer):
    @classmethod
    def setUpClass(cls):
        bank = shared(ShortBank)
        cls.windows = [Window(bank), Window(bank, profile_without_scripts())]
        for window in cls.windows:
            cls.addClassCleanup(window.close)

    def setUp(self):
        for number in (1, 0):
            self.visit(number)
            super().setUp()

    def visit(self, number):
        self.use(shared(ShortBank), self.windows[number])

    def test_ends_the_page(self):
        transactions = []
        for number in range(2):
            self.visit(number)
            self.pay()
            transactions.append(self.transaction)
        for number in (1, 0):
            self.visit(number)
            self.until(lambda: "has expired" in self.text("[role=status]"))
            self.assertEqual(self.bank.device.pending(), [])
        for number in (0, 1):
            self.visit(number)
            self.press("Ask my device again")
            self.until(lambda: "sent to your device again" in self.text("[role=status]"))
        self.see_heading("Back to the shop")
        self.assertIn("time for the approval is over", self.text("main p"))
        self.press("Continue")
        for number in (1, 0):
            self.visit(number)
            self.transaction = transactions[number]
            rreq, _ = self.see_end("N")
            self.assertEqual(rreq["transStatusReason"], "14")
        self.assertEqual(self.bank.device.pending(), [])


if __name__ == "__main__":
    unittest.main()
