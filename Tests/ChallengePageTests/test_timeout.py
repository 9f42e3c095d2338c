"""The time of an approval ends, on a page with scripts and on one without."""

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
        self.see_heading("Back to the shop")
        self.press("Continue")
        for number in (1, 0):
            self.visit(number)
            self.transaction = transactions[number]
            rreq, _ = self.see_end("N")
            self.assertEqual(rreq["transStatusReason"], "14")
        self.assertEqual(self.bank.device.pending(), [])


if __name__ == "__main__":
    unittest.main()
