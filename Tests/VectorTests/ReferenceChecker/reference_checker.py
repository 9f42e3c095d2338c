#!/usr/bin/python3
"""Computes the vectors of the protocol anew, from its articles and from nothing else.

usage: reference_checker.py FILE...

It shares no line with the package: Debian's python3-cryptography and python3-argon2 do the rest.
Prints what does not come out as a file says, and ends with 1 then.
"""

import json
import sys

# Nothing is left behind in a folder of sources.
sys.dont_write_bytecode = True

import codes
import enrolment
import messages
import signatures
import transactions
from fields import Refused

JUDGES = {
    "activation": enrolment.activation_case,
    "activation-code": enrolment.activation_code_case,
    "activation-uri": enrolment.activation_uri_case,
    "credential-seed": enrolment.credential_seed_case,
    "decision": codes.decision_case,
    "device-message": messages.device_message_case,
    "device-policy": transactions.device_policy_case,
    "in-band-code": codes.in_band_code_case,
    "push-payload": messages.push_payload_case,
    "rekey": enrolment.rekey_case,
    "signed-answer": signatures.signed_answer_case,
    "signed-request": signatures.signed_request_case,
    "transaction": transactions.transaction_case,
    "typed-code": codes.typed_code_case,
}


def outcome(judge, case):
    """The results that are in the case's fields too, or what they should be."""
    try:
        return judge(case)
    except Refused:
        return "reject"


def disagreement(judge, case):
    expected = case.get("expect")
    result = outcome(judge, case)
    if expected == "reject":
        return None if result == "reject" else "accepted: %s" % result
    if result == "reject":
        return "refused"
    wrong = {name: value for name, value in result.items() if case.get(name) != value}
    return "computed: %s" % wrong if wrong else None


def main(paths):
    judged = failed = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        judge = JUDGES[document["type"]]
        for row, case in enumerate(document["cases"], 1):
            judged += 1
            problem = disagreement(judge, case)
            if problem:
                failed += 1
                print("%s, row %d: %s" % (path, row, problem))
    print("%d rows judged, %d of them otherwise" % (judged, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
