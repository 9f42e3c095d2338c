"""The build of the web device, which the verifier has a list of."""

import gzip
import hashlib
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import engine
from engine import ROOT

# In all, compressed. A browser loads one of both modules of Argon2id.
BUDGET = 200_000
LIST = "Sources/VerifierServer/Web/WebFiles.swift"
ROW = re.compile(
    r'WebFile\(\s*path: "([^"]+)",\s*type: "([^"]+)",\s*sha256: "([0-9a-f]{64})",\s*isImmutable: (true|false)\s*\)')


def build(root, *options):
    return subprocess.run([root / "Packaging/web", *options], capture_output=True, text=True)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


class Build(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder, _ = engine.built()

    def test_is_the_build_of_the_committed_list(self):
        run = build(ROOT, "--check", ROOT / ".build/web-tested")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_has_a_compressed_copy_of_each_file_within_the_budget(self):
        files = contents(self.folder)
        plain = [path for path in files if not path.endswith(".gz")]
        for path in plain:
            self.assertEqual(gzip.decompress(files[path + ".gz"]), files[path], path)
        self.assertEqual(len(files), 2 * len(plain))
        self.assertGreater(len(plain), 15)
        sizes = [len(files[path]) for path in files
                 if path.endswith(".gz") and not path.endswith("-licence.txt.gz")]
        self.assertLessEqual(sum(sizes), BUDGET)

    def test_contains_the_licence_of_each_library(self):
        texts = [content for path, content in contents(self.folder).items() if path.endswith("-licence.txt")]
        self.assertEqual(len(texts), 2)
        self.assertTrue(any(b"Argon2 reference source code package" in text for text in texts))
        self.assertTrue(any(b"wasi-libc" in text for text in texts))

    def test_lists_each_file_and_finds_a_change(self):
        root = pathlib.Path(tempfile.mkdtemp(prefix="web-tests-"))
        self.addCleanup(shutil.rmtree, root)
        for part in ("Packaging", "Sources/Transactions", "Sources/Web", ".build/web-objects"):
            shutil.copytree(ROOT / part, root / part)
        pages = root / "Sources/Web/page"
        (pages / "index.html").write_text("<script type=module src={{version}}/start.js></script>\n")
        (pages / "service-worker.js").write_text("1;\n")
        (pages / "start.js").write_text("1;\n")
        (pages / "screens").mkdir(exist_ok=True)
        (pages / "screens/one.js").write_text("1;\n")
        first = build(root)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("The list of served files changed", first.stdout)
        files = contents(root / ".build/web")
        rows = {path: (kind, digest, immutable == "true")
                for path, kind, digest, immutable in ROW.findall((root / LIST).read_text())}
        self.assertEqual(list(rows), sorted(files))
        for path, (_, digest, _) in rows.items():
            self.assertEqual(digest, hashlib.sha256(files[path]).hexdigest(), path)
        version = re.search(r"src=([0-9a-f]+)/start.js", files["index.html"].decode())[1]
        fixed = {"index.html", "service-worker.js"}
        self.assertEqual({path.removesuffix(".gz") for path, row in rows.items() if not row[2]} - {
            "manifest.json"}, fixed)
        self.assertEqual(rows[version + "/reader.wasm.gz"][0], "application/wasm")
        self.assertEqual(rows[version + "/screens/one.js"][0], "text/javascript; charset=utf-8")

        self.assertIn("The list of served files is current", build(root).stdout)
        self.assertEqual(build(root, "--check").returncode, 0)
        (pages / "start.js").write_text("2;\n")
        changed = build(root, "--check")
        self.assertEqual(changed.returncode, 1)
        self.assertIn("is not the list of this build", changed.stderr)
        self.assertIn(version, (root / LIST).read_text())
        self.assertIn("The list of served files changed", build(root).stdout)
        self.assertNotIn(version, (root / LIST).read_text())


if __name__ == "__main__":
    unittest.main()
