"""Checks the software bill of materials on standard input: CycloneDX 1.6 with valid package URLs.

Prints the name and version of each component, and its hash if it has one.
"""
import json
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

text = sys.stdin.read()
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
if error:
    sys.exit(str(error))

bill = json.loads(text)
components = bill["components"]
references = {component["bom-ref"] for component in components}
assert len(references) == len(components), "references are unique"
[root] = bill["dependencies"]
assert set(root["dependsOn"]) == references, "every component is a dependency"
for component in components:
    url = PackageURL.from_string(component["purl"])
    assert url.type != "deb" or (url.name, url.version) == (component["name"], component["version"])
    hashes = [item["content"] for item in component.get("hashes", [])]
    print(component["name"], component["version"], *hashes)
