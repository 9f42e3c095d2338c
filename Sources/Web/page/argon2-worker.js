// One derivation. All memory that saw the password is overwritten before the answer leaves.

self.onmessage = ({ data }) => {
    let memory;
    let answer;
    try {
        const { exports } = new WebAssembly.Instance(data.module);
        memory = exports.memory;
        answer = derive(exports, data);
    } catch (error) {
        answer = { failure: error.name };
    } finally {
        data.password.fill(0);
        if (memory) new Uint8Array(memory.buffer).fill(0);
        // Moved, so that no copy of the key stays here.
        self.postMessage(answer, answer.key ? [answer.key.buffer] : []);
    }
};

function derive(exports, { password, salt, cost, byteCount }) {
    write(exports, exports.password(), password);
    write(exports, exports.salt(), salt);
    const error = exports.derive(
        password.length, salt.length, byteCount, cost.passes, cost.memoryKiB, cost.lanes,
    );
    if (error !== 0) return { failure: error };
    return { key: new Uint8Array(exports.memory.buffer, exports.key(), byteCount).slice() };
}

function write({ memory }, address, bytes) {
    new Uint8Array(memory.buffer).set(bytes, address);
}
