"""Checks exchanges with both APIs by their description: one JSON object a line on standard input."""
import json
import re
import sys

from jsonschema import Draft202012Validator

document = json.load(open(sys.argv[1]))


def resolved(item):
    while "$ref" in item:
        found = document
        for name in item["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        item = found
    return item


def errors(schema, value):
    # References lead into the document, so it is the root of every schema.
    root = dict(schema, components=document["components"])
    return [error.message for error in Draft202012Validator(root).iter_errors(value)]


def operation(method, target):
    path = target.split("?")[0]
    for pattern, item in document["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), path):
            return pattern, item.get(method.lower()) if method.isupper() else None
    return None, None


def judged(exchange):
    pattern, found = operation(exchange["method"], exchange["target"])
    if found is None:
        # An undescribed path gets 404, and an undescribed method 405.
        return [] if exchange["status"] in (404, 405) else ["responds to an undescribed request"]
    status = str(exchange["status"])
    if status not in found["responses"]:
        return [f"{found['operationId']}: status {status} is not described"]
    response = resolved(found["responses"][status])
    fields = {name.lower(): value for name, value in exchange["fields"]}
    required = {name for name, header in response.get("headers", {}).items()
                if resolved(header).get("required")}
    wrong = [f"no {name}" for name in required if name.lower() not in fields]
    if "idempotent-replayed" in fields:
        header = response["headers"].get("Idempotent-Replayed")
        wrong += (errors(resolved(header)["schema"], fields["idempotent-replayed"]) if header
                  else ["an undescribed Idempotent-Replayed"])
    content = response.get("content", {})
    if not content:
        wrong += ["content where none is described"] if exchange["body"] else []
    elif fields.get("content-type") not in content:
        wrong.append(f"content type {fields.get('content-type')}")
    elif "json" in fields["content-type"] and "ndjson" not in fields["content-type"]:
        schema = content[fields["content-type"]]["schema"]
        wrong += errors(schema, json.loads(exchange["body"]))
    elif "ndjson" in fields["content-type"]:
        for line in exchange["body"].splitlines():
            wrong += errors(document["components"]["schemas"]["AuditRecord"], json.loads(line))
    body = found.get("requestBody", {})
    if exchange["status"] < 300 and (exchange["request"] or body.get("required")):
        schema = found["requestBody"]["content"]["application/json"]["schema"]
        wrong += errors(schema, json.loads(exchange["request"]))
    if exchange["status"] >= 400:
        wrong += problems(found, exchange)
        if json.loads(exchange["body"])["status"] != exchange["status"]:
            wrong.append("another status than in the body")
    return [f"{found['operationId']} {status}: {text}" for text in wrong]


COMMON = {"unauthorized", "scopeMissing", "notFound", "invalidQuery", "contentTooLarge",
          "serverUnavailable"}
CONTENT = {"malformedContent", "unsupportedContentType", "invalidContent"}
CALL = {"idempotencyKeyMissing", "idempotencyKeyReused"}
CONFIRMATION = {"confirmationUnknown", "confirmationBySameToken", "confirmationOfOtherCall",
                "confirmationUsed", "confirmationExpired", "confirmationRequesterInvalid"}


def problems(found, exchange):
    if found["security"] == [{"deviceSignature": []}]:
        # Its schema knows the types, which have no list of their own for each route.
        return []
    code = json.loads(exchange["body"])["code"]
    known = COMMON | set(found.get("x-problems", []))
    if "requestBody" in found:
        known |= CONTENT
    if {"$ref": "#/components/parameters/IdempotencyKey"} in found.get("parameters", []):
        known |= CALL
    if {"$ref": "#/components/parameters/Confirms"} in found.get("parameters", []):
        known |= CONFIRMATION
    return [] if code in known else [f"code {code} is not described"]


Draft202012Validator.check_schema({"components": document["components"]})
for name, schema in document["components"]["schemas"].items():
    Draft202012Validator.check_schema(schema)
count = 0
for line in sys.stdin:
    for text in judged(json.loads(line)):
        print(text)
    count += 1
print(f"judged {count}")
