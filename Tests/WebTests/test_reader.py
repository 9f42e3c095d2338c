"""The reader of the page in Chromium: it shows and refuses what the verifier's own code does."""

import json
import subprocess
import unittest

import engine
import inputs
from engine import ROOT

COUNT = 100_000
SCRIPT = """
import { loadReader } from '%s/reader.js';

export async function test() {
    const start = performance.now();
    const reader = await loadReader();
    const loading = performance.now() - start;
    const bytes = new Uint8Array(await (await fetch('/data')).arrayBuffer());
    const view = new DataView(bytes.buffer);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const results = [];
    const began = performance.now();
    for (let place = 0; place < bytes.length;) {
        const length = view.getUint32(place) - 1;
        const content = bytes.slice(place + 5, place + 5 + length);
        const call = bytes[place + 4];
        const text = call === 0 ? '' : decoder.decode(content);
        results.push(call === 0 ? reader.read(content) : reader.check(text));
        place += 5 + length;
    }
    return { loading, each: (performance.now() - began) / results.length, results };
}
"""


class Reader(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder, cls.url = engine.built()
        cls.program = native_program()

    def in_browser(self, calls):
        found = engine.run(self.folder, SCRIPT % self.url, inputs.framed(calls))
        return {**found, "results": [with_rounded_times(result) for result in found["results"]]}

    def on_this_machine(self, calls):
        run = subprocess.run([self.program], input=inputs.framed(calls), capture_output=True, check=True)
        lines = run.stdout.decode().removesuffix("\n").split("\n")
        return [with_rounded_times(as_in_page(json.loads(line))) for line in lines]

    def test_shows_the_content_of_each_vector_and_refuses_the_others(self):
        cases = inputs.vectors()
        results = self.in_browser([(inputs.READ, bytes.fromhex(case["canonical_hex"])) for case in cases])
        for case, result in zip(cases, results["results"], strict=True):
            with self.subTest(case.get("comment", case["canonical_hex"][:40])):
                if case.get("expect") == "reject":
                    self.assertIn("refusal", result)
                    self.assertNotIn("content", result)
                else:
                    self.assertEqual(result["content"], expected(case))

    def test_gives_the_same_result_as_on_this_machine_for_each_input(self):
        calls = [(inputs.READ, content) for content in inputs.other_transactions()]
        calls += list(inputs.variants(COUNT))
        found = self.in_browser(calls)
        wanted = self.on_this_machine(calls)
        self.assertEqual(len(found["results"]), len(wanted))
        for call, one, other in zip(calls, found["results"], wanted, strict=True):
            self.assertEqual(one, other, call)
        # The comparison means nothing unless both results are common, for all rules.
        accepted = sum("content" in result for result in wanted)
        reasons = {(result["refusal"], result.get("field"))
                   for result in wanted if "refusal" in result}
        self.assertGreater(accepted, COUNT // 20)
        self.assertGreater(len(reasons), 35, reasons)
        self.assertNotIn("failed", {refusal for refusal, _ in reasons})
        print("\n%d inputs, %d accepted, %d reasons; loaded in %.1f ms, %.0f µs for each" % (
            len(calls), accepted, len(reasons), found["loading"], 1000 * found["each"]))

    def test_refuses_after_a_trap_and_works_again(self):
        script = """
        import { loadReader } from '%s/reader.js';
        export async function test() {
            const Instance = WebAssembly.Instance;
            let instances = 0;
            let isBroken = true;
            WebAssembly.Instance = class {
                constructor(module, imports) {
                    instances += 1;
                    const { exports } = new Instance(module, imports);
                    const trap = () => { throw new WebAssembly.RuntimeError('unreachable'); };
                    this.exports = isBroken ? { ...exports, check: trap } : exports;
                }
            };
            const reader = await loadReader();
            const trapped = reader.check('a');
            isBroken = false;
            const refused = reader.read(new Uint8Array(3));
            return [trapped, reader.check('a'), reader.check('b'), instances, refused];
        }
        """
        result = engine.run(self.folder, script % self.url)
        self.assertEqual(result, [{"refusal": "failed"}, {"count": 1}, {"count": 1}, 2, {"refusal": "notCanonical"}])


def native_program():
    """The sources of the module, without its exports, as a program."""
    folder = ROOT / ".build/web-tested-native"
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted([*ROOT.glob("Sources/Transactions/**/*.swift"), *ROOT.glob("Sources/Web/reader/*.swift")])
    subprocess.run(
        ["swiftc", "-O", "-whole-module-optimization", "-parse-as-library", "-swift-version", "6",
         "-package-name", "countersign", "-module-name", "Verdicts", "-o", folder / "verdicts",
         ROOT / "Tests/WebTests/verdicts.swift",
         *[path for path in sources if path.name != "Exports.swift"]],
        check=True)
    return folder / "verdicts"


def as_in_page(result):
    """As reader.js returns the JSON of the module."""
    if "count" in result:
        return result
    if "refused" in result:
        detail = {name: result[name] for name in ("field", "offset") if result.get(name) is not None}
        return {"refusal": result["refused"], **detail}
    return {"content": result}


def with_rounded_times(result):
    """JavaScript writes other digits of a number that it rounds."""
    if "content" in result:
        content = result["content"]
        content["created"], content["deadline"] = float(content["created"]), float(content["deadline"])
    return result


def expected(case):
    return {
        "enterprise": case["enterprise"],
        "id": case["id"],
        "account": {"type": case["account_type"], "id": case["account_id"]},
        "context": case["context"],
        "title": case["title"],
        "fields": [{"label": label, "value": value} for label, value in case["fields"]],
        "amounts": [shown for _, _, shown in case["amounts"]],
        "payees": [{"name": row[0], "account" if len(row) == 3 else "merchant": row[-1]} for row in case["payees"]],
        "reference": case.get("reference"),
        "returnAddress": case.get("return_url"),
        "authentication": case["authentication"],
        "created": float(case["created"]),
        "deadline": float(case["deadline"]),
    }


if __name__ == "__main__":
    unittest.main()
