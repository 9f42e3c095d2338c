// Keeps the bytes that the page gives to WebCrypto, to see which of them it overwrites.

const kept = { inputs: [], seeds: [] };

/** The lengths of the inputs of extracted keys: an agreed secret, and a code or another secret. */
const lengths = [32 + 18, 32 + 32];

export function keep() {
    const { sign, encrypt } = SubtleCrypto.prototype;
    SubtleCrypto.prototype.sign = function (algorithm, key, bytes) {
        if (algorithm === 'HMAC' && lengths.includes(bytes.length)) kept.inputs.push(bytes);
        return sign.call(this, algorithm, key, bytes);
    };
    SubtleCrypto.prototype.encrypt = function (algorithm, key, bytes) {
        kept.seeds.push(bytes);
        return encrypt.call(this, algorithm, key, bytes);
    };
}

/** From now on, no seed is sealed. */
export function fail() {
    SubtleCrypto.prototype.encrypt = async (algorithm, key, bytes) => {
        kept.seeds.push(bytes);
        throw new Error('not sealed');
    };
}

/** The lengths of what was kept, and of what the page did not overwrite. */
export const lengthsOf = (name) => ({
    kept: kept[name].map(({ length }) => length),
    left: kept[name].filter((bytes) => bytes.some((byte) => byte !== 0)).map(({ length }) => length),
});
