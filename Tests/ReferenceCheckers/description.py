"""Checks the OpenAPI document on standard input: valid, with examples that match their schemas.

Prints the findings, and then the number of examples.
"""
import json
import pathlib
import re
import sys

from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import validate

document = json.load(sys.stdin)
docs = pathlib.Path(__file__).resolve().parents[2] / "docs"
findings = []
count = 0
# The tag of operations for programs, their problems, and the page with all codes.
PROGRAMS, PROBLEM, PAGE = (
    ("issuer", "IssuerProblem", "acs-api.md")
    if "IssuerProblem" in document["components"]["schemas"]
    else ("bank", "BankProblem", "errors.md")
)


def resolved(item):
    while "$ref" in item:
        found = document
        for name in item["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        item = found
    return item


def check(schema, value, place):
    global count
    count += 1
    # References lead into the document, so it is the root of every schema.
    root = dict(schema, components=document["components"])
    validator = Draft202012Validator(root, format_checker=FormatChecker())
    findings.extend(f"{place}: {error.message}" for error in validator.iter_errors(value))


def examples(item):
    """The examples of a media type, a parameter or a header, by name."""
    if "example" in item:
        return {"": item["example"]}
    return {name: resolved(one)["value"] for name, one in item.get("examples", {}).items()}


def check_examples(item, place):
    found = examples(item)
    if not found:
        findings.append(f"{place}: no example")
    for name, value in found.items():
        check(item["schema"], value, f"{place} {name}")


def check_content(part, place):
    for kind, media in part.get("content", {}).items():
        if "json" not in kind and not media.get("schema", {}).get("type") == "string":
            findings.append(f"{place}: {kind} is not a string")
        check_examples(media, f"{place} {kind}")


def operations():
    for part in ("paths", "webhooks"):
        for path, item in document.get(part, {}).items():
            for method, operation in item.items():
                if method != "parameters":
                    yield part, path, item, operation


def codes(path, operation):
    """The problem codes that an operation for programs of the bank can return."""
    found = {"unauthorized", "invalidQuery", "contentTooLarge", "serverUnavailable"}
    found |= set(operation.get("x-problems", []))
    if path.startswith("/acs/"):
        if "{" in path:
            found.add("notFound")
        if "requestBody" in operation:
            found |= {"malformedContent", "unsupportedContentType", "invalidContent"}
        return found
    found.add("scopeMissing")
    if "{enterprise}" in path or path == "/bank/v1/audit":
        found.add("notFound")
    if "requestBody" in operation:
        found |= {"malformedContent", "unsupportedContentType", "invalidContent"}
    if {"$ref": "#/components/parameters/IdempotencyKey"} in operation.get("parameters", []):
        found |= {"idempotencyKeyMissing", "idempotencyKeyReused"}
    if {"$ref": "#/components/parameters/Confirms"} in operation.get("parameters", []):
        found |= {"confirmationUnknown", "confirmationBySameToken", "confirmationOfOtherCall",
                  "confirmationUsed", "confirmationExpired", "confirmationRequesterInvalid"}
    return found


def check_operation(part, path, item, operation):
    place = operation["operationId"]
    first = path.split("/")[1] if part == "paths" else "webhooks"
    tag = first if first in ("device", "webhooks") else PROGRAMS
    if operation["tags"] != [tag]:
        findings.append(f"{place}: tags {operation['tags']}")
    for parameter in item.get("parameters", []) + operation.get("parameters", []):
        parameter = resolved(parameter)
        check_examples(parameter, f"{place} {parameter['name']}")
    if "requestBody" in operation:
        check_content(operation["requestBody"], f"{place} request")
    problems = set()
    for status, response in operation["responses"].items():
        response = resolved(response)
        check_content(response, f"{place} {status}")
        for name, header in response.get("headers", {}).items():
            check_examples(resolved(header), f"{place} {status} {name}")
        for media in response.get("content", {}).values():
            for value in examples(media).values() if status >= "4" else []:
                if str(value["status"]) != status:
                    findings.append(f"{place} {status}: an example with {value['status']}")
                problems.add(value.get("code"))
    if path.startswith(("/bank/", "/acs/")) and problems != codes(path, operation):
        findings.append(f"{place}: {sorted(problems ^ codes(path, operation))}")


def schemas(item, seen):
    """All parts of a schema, through its references."""
    if isinstance(item, list):
        for one in item:
            yield from schemas(one, seen)
    elif isinstance(item, dict):
        reference = item.get("$ref")
        if reference and reference not in seen:
            seen.add(reference)
            yield from schemas(resolved(item), seen)
        yield item
        for one in item.values():
            yield from schemas(one, seen)


def check_openness(part, path, operation):
    """Receivers of the bank accept members that a later version adds."""
    bodies = [operation["requestBody"]] if part == "webhooks" else operation["responses"].values()
    if path.startswith("/device/"):
        return
    for body in bodies:
        for media in resolved(body).get("content", {}).values():
            for schema in schemas(media["schema"], set()):
                if {"additionalProperties", "unevaluatedProperties"} & set(schema):
                    findings.append(f"{operation['operationId']}: a response is closed")


def rows(page, columns):
    for line in (docs / page).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == columns and re.fullmatch(r"`[\w.]+`", cells[0]):
            yield [cells[0].strip("`")] + cells[1:]


def policy_member(path):
    schema = document["components"]["schemas"]["Policy"]
    for name in path.split("."):
        schema = resolved(schema["properties"][name])
    return schema


# A minimum that another member can lower.
LOWER = {"lock.failuresInWindow": 1, "pin.minimumDigits": 5, "pin.maximumDigits": 5}


def check_policy():
    """The members, ranges and defaults, which are also on the generated page."""
    for path, values, default, _ in rows("operate/policy.md", 4):
        schema = policy_member(path)
        limits = re.fullmatch(r"(\d+) to (\d+)", values)
        if limits:
            expected = [LOWER.get(path, int(limits[1])), int(limits[2])]
            if [schema["minimum"], schema["maximum"]] != expected:
                findings.append(f"{path}: not {values}")
        elif re.fullmatch(r"[\d, ]+", values):
            if schema["enum"] != [int(value) for value in values.split(",")]:
                findings.append(f"{path}: not {values}")
        if default != "none" and schema.get("default") != json.loads(default.strip("`")):
            findings.append(f"{path}: not {default}")


def check_problems():
    """Each code has an example, and its status is also on the page of errors."""
    schema = document["components"]["schemas"][PROBLEM]
    known = schema["properties"]["code"]["x-extensible-enum"]
    listed = {code: status for code, status, *_ in rows(f"reference/{PAGE}", 4)}
    for code in known:
        value = document["components"]["examples"][code]["value"]
        if value["code"] != code or value["type"] != f"urn:countersign:{code}":
            findings.append(f"the example {code} has another code")
        if listed.get(code) != str(value["status"]):
            findings.append(f"{code}: status {listed.get(code)} on {PAGE}")


validate(document)
for part, path, item, operation in operations():
    check_operation(part, path, item, operation)
    check_openness(part, path, operation)
for name, schema in document["components"]["schemas"].items():
    for part in schemas(schema, set()):
        if "example" in part:
            check({k: v for k, v in part.items() if k != "example"}, part["example"], name)
if PROGRAMS == "bank":
    check_policy()
check_problems()
for finding in sorted(set(findings)):
    print(finding)
print(f"{count} examples")
