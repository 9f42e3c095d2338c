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
