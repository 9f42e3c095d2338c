"""Lets schemathesis ask as a bank's programs do: each operation with a token whose role includes it.

KNOWN names a file of JSON: for each scope a token.
"""
import json
import os

import schemathesis

tokens = json.load(open(os.environ["KNOWN"]))["tokens"]


@schemathesis.auth(refresh_interval=None)
class Token:
    def get(self, case, context):
        requirement = context.operation.definition.raw["security"][0]
        [scope] = requirement["bankToken"]
        return tokens[scope]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"
