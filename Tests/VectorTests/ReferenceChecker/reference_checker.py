#!/usr/bin/python3
"""Computes the vectors of the protocol and of tokens independently, from documentation alone.

usage: reference_checker.py FILE...

It shares no code with the package: it uses Debian's python3-cryptography and python3-argon2.
Prints each difference from the expected results, and then exits with 1.
"""

import json
import sys

# Writes no files into the source folder.
sys.dont_write_bytecode = True

import channel
import codes
import enrolment
import messages
import signatures
import tokens
import transactions
from fields import Refused

CHECKERS = {
    "aes-cbc-hmac": tokens.aes_cbc_hmac_case,
    "activation": enrolment.activation_case,
    "activation-code": enrolment.activation_code_case,
    "activation-uri": enrolment.activation_uri_case,
    "credential-seed": enrolment.credential_seed_case,
    "decision": codes.decision_case,
    "device-message": messages.device_message_case,
    "device-policy": transactions.device_policy_case,
    "ecdh-es": tokens.ecdh_es_case,
    "emv-channel": channel.emv_channel_case,
    "in-band-code": codes.in_band_code_case,
    "jwe": tokens.jwe_case,
    "jws": tokens.jws_case,
    "push-payload": messages.push_payload_case,
    "rekey": enrolment.rekey_case,
    "signed-response": signatures.signed_response_case,
    "signed-request": signatures.signed_request_case,
    "transaction": transactions.transaction_case,
    "typed-code": codes.typed_code_case,
}


def outcome(checker, case):
    """The computed results, or "reject"."""
    try:
        return checker(case)
    except Refused:
        return "reject"


def disagreement(checker, case):
    expected = case.get("expect")
    result = outcome(checker, case)
    if expected == "reject":
        return None if result == "reject" else "accepted: %s" % result
    if result == "reject":
        return "refused"
    wrong = {name: value for name, value in result.items() if case.get(name) != value}
    return "computed: %s" % wrong if wrong else None


def main(paths):
    checked = failed = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        checker = CHECKERS[document["type"]]
        for row, case in enumerate(document["cases"], 1):
            checked += 1
            problem = disagreement(checker, case)
            if problem:
                failed += 1
                print("%s, row %d: %s" % (path, row, problem))
    print("%d rows checked, %d different" % (checked, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
