"""Checks clients in several languages, generated from the OpenAPI document on standard input.

Every operation must be a method of the API of its tag, with its path. Names must be valid and
unique, as far as this is visible without a compiler. Prints the findings, and then "done".

openapi-generator 7.26 writes no types for webhooks in Python, so a client could not be imported.
Its templates read `x-py-typing`, which the webhooks of the document therefore have. The names in
`x-enum-varnames` keep the constants of a Go client apart.
"""
import collections
import json
import pathlib
import py_compile
import re
import sys
import tempfile

import generators

# The file of an API, how a method starts, and how a path and its parameter are written.
FORMS = {
    "python": ("openapi_client/api/{snake}_api.py", r"\n    def {snake}\(", "'{path}'"),
    "java": ("src/main/java/org/openapitools/client/api/{camel}Api.java", r"public \S+ {name}\(",
             '"{path}"'),
    "typescript-fetch": ("apis/{camel}Api.ts", r"\n    async {name}\(", "`{path}`"),
    "go": ("api_{snake}.go", r"\nfunc \(a \*{tag}APIService\) {camel}\(", '"{path}"'),
}
LOWER_CASE_FIRST = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def snake(name):
    return LOWER_CASE_FIRST.sub("_", name).lower()


def camel(name):
    return name[0].upper() + name[1:]


def missing(document, language, folder):
    """Operations that a client lacks."""
    file, method, path_form = FORMS[language]
    for part in ("paths", "webhooks"):
        for path, item in document[part].items():
            for operation in (v for k, v in item.items() if k != "parameters"):
                tag, name = operation["tags"][0], operation["operationId"]
                source = folder / file.format(snake=snake(tag), camel=camel(tag))
                text = source.read_text() if source.exists() else ""
                pattern = method.format(snake=snake(name), name=name, camel=camel(name),
                                        tag=camel(tag))
                if not re.search(pattern, text, re.IGNORECASE):
                    yield f"{language}: {name} is missing"
                if part == "paths" and path_form.format(path=path) not in text:
                    yield f"{language}: the path of {name} is missing"


def broken(language, folder):
    """Names that a compiler would refuse."""
    if language == "python":
        for source in folder.glob("openapi_client/**/*.py"):
            try:
                py_compile.compile(str(source), doraise=True)
            except py_compile.PyCompileError:
                yield f"python: {source.name} does not compile"
    suffix = {"java": "java", "typescript-fetch": "ts", "go": "go"}.get(language)
    constants = collections.Counter()
    for source in folder.rglob(f"*.{suffix}"):
        text = source.read_text()
        # A type or a name that the generator did not find.
        for found in re.findall(r"\w+: [,;)]|\( ,|UNKNOWN_BASE_TYPE|MISSING_\w+", text):
            yield f"{language}: {found!r} in {source.name}"
        # All files of a Go client are one package, and so are their constants.
        if language == "go" and source.name.startswith("model_"):
            constants.update(re.findall(r"(?m)^\t([A-Z][A-Z0-9_]*) \w+ = ", text))
    yield from (f"go: {name} occurs twice" for name, count in constants.items() if count > 1)


with tempfile.TemporaryDirectory() as folder:
    text = sys.stdin.read()
    document = json.loads(text)
    source = pathlib.Path(folder, "openapi.json")
    source.write_text(text)
    generators.every_language(str(source), folder, FORMS)
    for language in FORMS:
        client = pathlib.Path(folder, language)
        for finding in sorted({*missing(document, language, client), *broken(language, client)}):
            print(finding)
print("done")
