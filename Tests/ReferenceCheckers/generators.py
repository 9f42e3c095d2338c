"""Generates clients from the OpenAPI document with two generators from PyPI."""
import importlib
import json
import os
import pathlib
import ssl
import subprocess
import sys
import urllib.request

# A generation takes seconds: the compiler of the Java machine does little for so short a run.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# The generator of these types knows neither, so both stay text.
OVERRIDES = {"application/x-ndjson": "text/plain", "image/svg+xml": "text/plain"}
# Without pages and tests, which take longer than the code.
CODE_ONLY = {name: "false" for name in ("apiDocs", "modelDocs", "apiTests", "modelTests")}


def program(name):
    return str(pathlib.Path(sys.executable).with_name(name))


def run(name, *words, folder):
    """Runs a generator, which writes much; its output is shown only after a failure."""
    environment = dict(os.environ, JAVA_TOOL_OPTIONS=JAVA_OPTIONS)
    done = subprocess.run([program(name), *words], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{name} failed:\n{done.stdout}")


def trust(authority):
    return ssl.create_default_context(cafile=authority) if authority else None


def served_document(known, folder):
    """The file of the document that the verifier serves."""
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        *([urllib.request.HTTPSHandler(context=trust(known["authority"]))]
          if known.get("authority") else []))
    with opener.open(known["origin"] + "/openapi.json", timeout=20) as response:
        path = pathlib.Path(folder, "openapi.json")
        path.write_bytes(response.read())
        return str(path)


def openapi_generator(document, folder):
    """The Python client of openapi-generator, as docs/reference/bank-api.md describes."""
    run("openapi-generator-cli", "generate", "-i", document, "-g", "python", "-o", folder,
        "--package-name", "countersign", "--openapi-normalizer", "FILTER=tag:bank",
        "--global-property", ",".join(["apis", "models", "supportingFiles"]
                                      + [f"{name}=false" for name in CODE_ONLY]),
        folder=folder)
    return imported("countersign", folder)


def openapi_python_client(document, folder):
    """The client of openapi-python-client; a warning would be an operation without a response."""
    settings = pathlib.Path(folder, "settings.json")
    settings.write_text(json.dumps({"post_hooks": [], "content_type_overrides": OVERRIDES}))
    run("openapi-python-client", "generate", "--path", document, "--config", str(settings),
        "--meta", "none", "--output-path", folder + "/countersign", "--fail-on-warning",
        folder=folder)
    return imported("countersign", folder)


def imported(name, folder):
    sys.path.insert(0, folder)
    return importlib.import_module(name)


def every_language(document, folder, languages):
    """Clients with the default code of openapi-generator, in one run."""
    for language in languages:
        settings = {"inputSpec": document, "generatorName": language,
                    "outputDir": f"{folder}/{language}", "globalProperties": CODE_ONLY}
        pathlib.Path(folder, language + ".json").write_text(json.dumps(settings))
    run("openapi-generator-cli", "batch", "--fail-fast", "--threads", "2",
        *[language + ".json" for language in languages], folder=folder)
