"""Argon2id of the page in Chromium: keys equal to those of Debian's libargon2."""

import time
import unittest

import argon2.low_level

import engine

# Password, salt, passes, memory in KiB, lanes, bytes of the key.
CASES = [
    (b"123456", bytes(range(16)), 3, 65536, 4, 32),
    (b"000000", b"\xff" * 16, 2, 19456, 1, 32),
    (b"918273645546", bytes(16), 1, 8, 1, 4),
    (b"", b"saltsalt", 1, 32, 4, 64),
    ("pässwört".encode(), b"another salt of other length", 4, 1000, 3, 65),
    (b"p" * 1024, b"s" * 1024, 1, 64, 8, 1024),
    (b"123456", bytes(range(16)), 10, 100, 2, 33),
]
START = """
import { argon2id, hasVectors } from '%s/argon2.js';
import { trustedWorker } from '%s/trusted-worker.js';

const bytes = (hexadecimal) => Uint8Array.fromHex?.(hexadecimal)
    ?? Uint8Array.from(hexadecimal.match(/../g) ?? [], (digits) => parseInt(digits, 16));
const text = (key) => Array.from(key, (byte) => byte.toString(16).padStart(2, '0')).join('');
const load = async (name) => WebAssembly.compileStreaming(fetch('%s/' + name));
const cost = (passes, memoryKiB, lanes) => ({ passes, memoryKiB, lanes });
"""


class Argon2(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder, cls.url = engine.built()

    def run_script(self, script):
        return engine.run(self.folder, START % (self.url, self.url, self.url) + script)

    def test_gives_the_keys_of_libargon2(self):
        cases = [[password.hex(), salt.hex(), *rest] for password, salt, *rest in CASES]
        result = self.run_script("""
        export async function test() {
            const keys = [];
            for (const [password, salt, passes, memory, lanes, count] of %r) {
                const given = cost(passes, memory, lanes);
                keys.push(text(await argon2id(bytes(password), bytes(salt), given, count)));
            }
            return { hasVectors, keys };
        }
        """ % cases)
        self.assertTrue(result["hasVectors"])
        self.assertEqual(result["keys"], [native(case).hex() for case in CASES])

    def test_gives_the_same_keys_without_vectors(self):
        cases = [[password.hex(), salt.hex(), *rest] for password, salt, *rest in CASES]
        result = self.run_script("""
        const inWorker = (request) => new Promise((resolve, reject) => {
            const worker = new Worker(trustedWorker('%s/argon2-worker.js'), { type: 'module' });
            worker.onerror = reject;
            worker.onmessage = ({ data }) => { worker.terminate(); resolve(data.key); };
            worker.postMessage(request);
        });
        export async function test() {
            const keys = [];
            const module = await load('argon2.wasm');
            for (const [password, salt, passes, memory, lanes, byteCount] of %r) {
                keys.push(text(await inWorker({
                    module, password: bytes(password), salt: bytes(salt), byteCount,
                    cost: cost(passes, memory, lanes),
                })));
            }
            return keys;
        }
        """ % (self.url, cases))
        self.assertEqual(result, [native(case).hex() for case in CASES])

    def test_uses_one_worker_at_a_time_and_ends_it_while_the_page_stays_usable(self):
        result = self.run_script("""
        export async function test() {
            const Native = Worker;
            let [alive, most, started, turns] = [0, 0, 0, 0];
            globalThis.Worker = class extends Native {
                constructor(...options) {
                    super(...options);
                    alive += 1;
                    started += 1;
                    most = Math.max(most, alive);
                }
                terminate() {
                    super.terminate();
                    alive -= 1;
                }
            };
            const turn = new MessageChannel();
            turn.port1.onmessage = () => { turns += 1; turn.port2.postMessage(0); };
            turn.port2.postMessage(0);
            const password = new Uint8Array([49, 50, 51, 52]);
            const salt = new Uint8Array(16);
            const running = [1, 2, 3].map((passes) => argon2id(password, salt, cost(passes, 8192, 2)));
            // The caller may overwrite its password at once.
            password.fill(0);
            const keys = (await Promise.all(running)).map(text);
            const failure = await argon2id(password, salt, cost(1, 1, 1)).catch((error) => error.message);
            const after = text(await argon2id(password, salt, cost(1, 8, 1)));
            return { keys, failure, after, alive, most, started, turns };
        }
        """)
        password, salt = b"1234", bytes(16)
        self.assertEqual(
            result["keys"], [native((password, salt, passes, 8192, 2, 32)).hex() for passes in (1, 2, 3)])
        # ARGON2_MEMORY_TOO_LITTLE.
        self.assertEqual(result["failure"], "Argon2id failed: -14")
        self.assertEqual(result["after"], native((bytes(4), salt, 1, 8, 1, 32)).hex())
        self.assertEqual([result["alive"], result["most"], result["started"]], [0, 1, 5])
        self.assertGreater(result["turns"], 10)

    def test_overwrites_all_memory_before_the_key_leaves(self):
        # The worker's script runs in this page, where its memory can be read.
        result = self.run_script("""
        export async function test() {
            const Instance = WebAssembly.Instance;
            let memory, ask;
            WebAssembly.Instance = function (...options) {
                const instance = new Instance(...options);
                memory = instance.exports.memory;
                const { derive } = instance.exports;
                return { exports: { ...instance.exports, derive: (...inputs) => {
                    const error = derive(...inputs);
                    ask = used();
                    return error;
                } } };
            };
            const used = () => new Uint8Array(memory.buffer).reduce((sum, byte) => sum + (byte !== 0), 0);
            await import('%s/argon2-worker.js');
            const password = new Uint8Array([49, 50, 51, 52]);
            const answers = [];
            self.postMessage = (answer, moved) => answers.push({
                key: text(answer.key), left: used(), password: Array.from(password),
                isMoved: moved[0] === answer.key.buffer,
            });
            for (const name of ['argon2.wasm', 'argon2-simd.wasm']) {
                password.set([49, 50, 51, 52]);
                const module = await load(name);
                const salt = new Uint8Array(16);
                self.onmessage({ data: { module, password, salt, byteCount: 32, cost: cost(1, 64, 1) } });
                answers.at(-1).used = ask;
            }
            return answers;
        }
        """ % self.url)
        key = native((b"1234", bytes(16), 1, 64, 1, 32)).hex()
        for answer in result:
            self.assertGreater(answer.pop("used"), 60_000)
            self.assertEqual(answer, {"key": key, "left": 0, "password": [0] * 4, "isMoved": True})
        self.assertEqual(len(result), 2)

    def test_reports_its_time(self):
        result = self.run_script("""
        export async function test() {
            const times = [];
            for (let round = 0; round < 3; round += 1) {
                const start = performance.now();
                await argon2id(new Uint8Array(6), new Uint8Array(16), cost(3, 65536, 4));
                times.push(performance.now() - start);
            }
            return times;
        }
        """)
        start = time.monotonic()
        native(CASES[0])
        print("\nArgon2id of 64 MiB: %s ms in the page, %.0f ms by libargon2" % (
            ", ".join("%.0f" % milliseconds for milliseconds in result), 1000 * (time.monotonic() - start)))
        self.assertEqual(len(result), 3)


def native(case):
    password, salt, passes, memory, lanes, count = case
    return argon2.low_level.hash_secret_raw(
        password, salt, passes, memory, lanes, count, argon2.low_level.Type.ID)


if __name__ == "__main__":
    unittest.main()
