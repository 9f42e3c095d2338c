"""Pages as the ACS writes them."""

import json
import os
import secrets
import subprocess

PROGRAM = os.environ["PROGRAMS"] + "/PageProgram"


def random_name():
    return secrets.token_urlsafe(16)


def pages(requests):
    """A page with status, fields and body for each request, with a nonce of its own."""
    lines = [
        json.dumps({"language": "en", "nonce": random_name(), **request}) for request in requests]
    output = subprocess.run(
        [PROGRAM], input="\n".join(lines), stdout=subprocess.PIPE, text=True, check=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def page(**request):
    return pages([request])[0]
