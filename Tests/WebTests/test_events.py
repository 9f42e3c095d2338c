"""Hints over the event stream, and the end of a connection."""

import signal

from world import PIN, World


class Events(World):
    def setUp(self):
        super().setUp()
        self.activate()

    def tearDown(self):
        self.pages.stream_rule = None
        self.device("stopListening")

    def test_hints_of_transactions_that_are_pending_and_new(self):
        first = self.verifier.ask("Apples")
        self.device("listen")
        self.assertEqual(self.device("hint", "connected")["account"]["type"], "main")
        self.assertEqual(self.device("hint", "transaction")["transaction"], first["id"])
        self.device("forgetHints")
        second = self.verifier.ask("Pears")
        hint = self.device("hint", "transaction")
        self.assertEqual(hint["transaction"], second["id"])
        self.expect("done", self.device("transaction", hint["transaction"]))

    def test_a_broken_connection_is_made_again(self):
        self.device("listen")
        self.device("hint", "connected")
        self.device("forgetHints")
        self.verifier.process.send_signal(signal.SIGKILL)
        self.verifier.process.wait(30)
        self.device("hint", "disconnected")
        self.verifier.log.write_bytes(b"")
        self.verifier.start()
        self.device("hint", "connected")
        transaction = self.verifier.ask("Apples")
        self.assertEqual(self.device("hint", "transaction")["transaction"], transaction["id"])

    def test_a_stream_without_a_valid_signature_is_not_followed(self):
        def without_signature(fields):
            return [(name, value) for name, value in fields if name.lower() != "signature"]

        self.verifier.ask("Apples")
        self.pages.stream_rule = without_signature
        self.device("listen")
        self.assertEqual(self.device("hint", "disconnected")["code"], "unknownResult")
        kinds = self.device("hintKinds")
        self.assertEqual(set(kinds), {"disconnected"})
        self.pages.stream_rule = None
        self.device("hint", "connected")

    def test_a_removed_account_ends_its_stream(self):
        self.device("listen")
        self.device("hint", "connected")
        [account] = self.device("accounts")["value"]
        self.expect("done", self.device("remove"))
        self.assertEqual(self.device("hint", "removed"), {"kind": "removed", "device": account["device"]})
        self.device("listeningEnded")

    def test_a_revoked_device_ends_its_stream(self):
        self.device("listen")
        self.device("hint", "connected")
        [account] = self.device("accounts")["value"]
        self.verifier.command("revoke", self.verifier.account, account["device"], "--yes")
        self.expect("deviceRevoked", self.device("checkPIN", PIN))
        self.device("stopListening")
        self.device("listen")
        self.assertEqual(self.device("hint", "disconnected")["code"], "deviceRevoked")
        # The listener ended itself, so it needs no stop.
        self.device("listeningEnded")


class ManyStreams(World):
    """A browser opens six connections to a server at most."""

    def setUp(self):
        super().setUp()
        names = [self.verifier.account]
        for _ in range(3):
            self.verifier.add_account()
            self.verifier.command("account", "link", names[0], self.verifier.account)
            names.append(self.verifier.account)
        activation = self.verifier.activation()
        self.expect("done", self.device("claim", activation["id"], activation["code"]))
        result = self.expect("done", self.device("commit", PIN))
        self.assertEqual(len(result["value"]), len(names))

    def test_an_account_after_a_revoked_one_has_a_stream(self):
        accounts = self.device("accounts")["value"]
        first, _, third, _ = accounts
        name = "%(enterprise)s/%(type)s/%(id)s" % first
        self.verifier.command("revoke", name, first["device"], "--yes")
        self.device("listen")
        self.assertEqual(self.device("hint", "connected", third["device"])["device"], third["device"])
        self.device("stopListening")

    def test_three_tabs_with_four_accounts_leave_connections_for_requests(self):
        tabs = [self.browser.tab]
        self.device("listen")
        self.device("hint", "connected")
        self.device("forgetHints")
        for _ in range(2):
            self.browser.open_tab()
            tabs.append(self.browser.tab)
            self.open()
            self.device("listen")
            self.device("hint", "connected")
        self.expect("done", self.device("checkPIN", PIN))
        for tab in tabs[1:]:
            self.browser.show_tab(tab)
            self.browser.close_tab()
        self.browser.show_tab(tabs[0])
        # The first page is visible again.
        self.device("hint", "connected")
        self.device("stopListening")

    def test_accounts_without_a_stream_are_looked_at_together_now_and_then(self):
        self.browser.driver.execute_script("""
            const { setTimeout } = window;
            window.reminders = [];
            window.setTimeout = (work, delay) =>
                delay === 20_000 ? reminders.push(work) : setTimeout(work, delay);
        """)
        self.device("listen")
        self.assertEqual(self.browser.driver.execute_script("return reminders.length"), 1)
        self.browser.driver.execute_script("reminders[0]()")
        for account in self.device("accounts")["value"][2:]:
            device = account["device"]
            self.assertEqual(self.device("hint", "accountChange", device)["device"], device)
        self.device("stopListening")


class Parser(World):
    def events(self, text, size):
        return self.browser.call("/tests/events.js", "events", text, size)

    def test_pieces_of_any_size(self):
        text = ":\n\ndata: one\n\ndata:two\r\ndata: lines\r\n\r\nid: 7\ndata: three\r\revent: x\n\n"
        for size in (1, 2, 3, 5, 7, 1000):
            self.assertEqual(self.events(text, size), ["one", "two\nlines", "three"])

    def test_an_event_that_is_too_long(self):
        self.assertEqual(self.events("data: %s\n\n" % ("x" * 8000), 100), ["x" * 8000])
        self.assertIsNone(self.events("data: %s\n\n" % ("x" * 8190), 100))
        self.assertIsNone(self.events((":" + "x" * 4000 + "\n") * 3, 100))

    def test_data_that_is_no_hint(self):
        for data in ("", "x", "{}", '{"account_id":"a"}', '{"account_id":"a","account_type":null}'):
            self.assertIsNone(self.browser.call("/tests/events.js", "hint", data))
        change = '{"account_id":"a","account_type":"b"}'
        self.assertEqual(self.browser.call("/tests/events.js", "hint", change),
                         {"kind": "accountChange", "account": {"id": "a", "type": "b"}})
