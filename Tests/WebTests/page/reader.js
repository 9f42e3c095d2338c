// A reader of canonical bytes for tests: the structure of docs/protocol/transactions.md, without
// the rules for displayed text. The page has the reader of the verifier as WebAssembly.

import { FieldReader, Malformed, fromUTF8, require } from '/approve/bytes.js';

const types = [[1, 'consent'], [2, 'userPIN'], [4, 'biometric']];

export function contentOf(bytes) {
    const reader = new FieldReader(bytes);
    require(fromUTF8(reader.raw(4)) === 'CSTX' && reader.byte() === 1, 'another version');
    const values = [];
    for (let tag = 1; tag <= 16; tag++) {
        require(reader.byte() === tag, 'another field');
        values.push(reader.field(65_536));
    }
    reader.end();
    const number = (place) => Number(new FieldReader(values[place]).number());
    const returnURL = fromUTF8(values[10]);
    return {
        enterprise: fromUTF8(values[0]),
        id: fromUTF8(values[1]),
        account: { type: fromUTF8(values[2]), id: fromUTF8(values[3]) },
        title: fromUTF8(values[5]),
        authentication: types.filter(([flag]) => values[11][0] & flag).map(([, type]) => type),
        created: number(12),
        deadline: number(13),
        returnAddress: returnURL === '' ? null : returnURL,
    };
}

function read(bytes) {
    try {
        return { content: contentOf(bytes) };
    } catch (error) {
        if (error instanceof Malformed) return { refusal: error.message };
        throw error;
    }
}

export const reader = { read, check: (text) => ({ count: [...text].length }) };
