"""A peer that judges the ACS: SDK, directory server, 3DS server, shop and browser in one.

It was written from the documents alone, with jwcrypto and cryptography, and shares no code and no
table with the ACS. Each result lists the breaches that the peer found.
usage: threeds_peer.py              reads a command in JSON a line, and prints a result in JSON a line
       threeds_peer.py pki FOLDER   makes certificates and keys for tests, see threeds/pki.py
       threeds_peer.py --self-test  runs the peer against an ACS of its own, with and without faults

Each command has the member `command`. Each result has `problems`, a list of texts: the breaches of
the ACS. A command that the peer cannot run has `failure` instead. Unknown members are ignored. No
result has a card number.

start    acs {directories: URL of AReqs, challenges: the origin of challenges, ca: file, [method: URL]},
         client {certificate, key}, directory {certificate, key, clientAuthorities, [port]},
         root: file with the CA of acsSignedContent, [shop {[port], [certificate, key]}],
         [eci, default "05", or null]
       → directory {port, results: URL}, shop {port, notificationURL, methodURL}
areq     card, [channel: app, browser or 3ri], [version], [amount, currency, exponent], [expiry],
         [merchant {name, id, bin, country, mcc}], [category],
         [overrides {element: value, or null to leave it out}], [repeated: elements that come twice],
         [body: text instead of all], [type: its content type], [url], [timeout: seconds],
         [repeat: a transaction whose AReq is sent again, with overrides or byte for byte],
         [client {certificate, key} instead, or {} for none], [show: true → areq],
         [twice: true → by two connections at once, which must get equal responses]
       → transaction: handle, kind, status, seconds, length, ares or erro, [identical: with repeat]
creq     transaction, [action: show, continue, cancel or resend], [mutate], [overrides], [url],
         [cipher of the first: A128CBC-HS256 or A128GCM], [timeout: seconds, default 10 as for an SDK]
       → kind, status, seconds, length, mediaType, request {length}, cres or erro,
         [counter, nonce, cipher], [identical: with mutate repeat]
         mutate: none, repeat (the last bytes again), twice (by two connections at once),
         flip:N (another character at place N), cut:N,
         parts (one too few), counter or counter:N, nonce, again (the last counter with other bytes),
         kid, kid:none or kid:ID, cipher (the other one), direction (the key of the other direction),
         key (zeros), header:NAME=JSON, plain. repeat also sends a CReq that got no response, or 503.
browser  transaction, action: open, show, state, continue, again, cancel, foreign (a button, by
         default cancel, with another token), repeat (creq again), altered (another creq) or garbage,
         [session: text, or null for none], [window], [wait: seconds of state], [button],
         [hold: true → the last form is not posted], [overrides of creq], [timeout: default 40 s]
       → kind, status, seconds, title, language, texts, refresh, length, headers, redirects, address,
         forms [{action, method, buttons, fields: names}], over: whether the last form was posted
         to the shop; then session {sent, returned, identical} and cres or erro;
         state: kind, status, seconds, body, state; a page without the button: missing
offer    as areq, [price: text], [frame: 01 to 05 → the challenge is in a frame of this window size],
         [automatic: false → a button leads to the challenge, not a script],
         [end: other → after the challenge, the shop redirects to a page of another origin; stay →
         the browser stays on the last page]
       → address: a page of the shop for a person with a browser. Its button sends the AReq, and then
         the browser to the challenge.
results  [transaction], [wait: seconds], [count: RReqs to wait for, default 1],
         [repeatable: true → an RReq may come again after its RRes, as after a crash of the ACS]
       → count, results {handle: {count, results [{rreq, mode, client, path, age}], problems}},
         unknown, failedConnections (for example without the client's certificate),
         errors: the error messages of the ACS to the directory
directory  mode: ok, down, slow:SECONDS, erro:CODE, status:02, garbage, wrongid, lacking (without
         resultsStatus) or refuse (503),
         [certificate, key: other ones for later connections]
       → port. It is for later RReqs; down closes the listener, and another mode opens it again.
erro     transaction, [code], [from: C (default) or D, which is sent where AReqs are sent],
         [messageType], [overrides], [url], [timeout]
       → kind, status, length, [erro]
method   [threeDSServerTransID], [overrides], [data: text instead] → as browser, and completed
shop     [transaction: only its posts, which are judged]
       → posts [{path, fields}]: the forms that browsers posted to the shop; transactions: all handles
         with a transaction: posts [{path, names, moment, session, cres or erro}]
stop

kind is ARes, CRes, Erro, page, state, http (a response without a message) or unreachable (with
reason: no HTTP response came, for example because TLS failed).

Not covered: the encryption of device data to the directory server, PReq, types of challenges other
than out of band, the looks of a page and its script, and two commands at the same time.
"""
import sys

from threeds import commands, pki, self_test


def main(arguments: list[str]) -> int:
    if not arguments:
        commands.serve()
        return 0
    if arguments[0] == "pki" and len(arguments) == 2:
        pki.write(arguments[1])
        return 0
    if arguments == ["--self-test"]:
        return self_test.run()
    print(__doc__[__doc__.index("usage:"):].split("\n\n")[0], file=sys.stderr)
    return 64


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
