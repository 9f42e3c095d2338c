// Alters each byte of one signed response of the real verifier.

import { routes, written } from '/approve/messages.js';
import { Store } from '/approve/store.js';
import { requestFields, signedRequest, signerOfResponse } from '/approve/signatures.js';
import { key } from '/approve/values.js';

const names = ['content-type', 'content-digest', 'signature-input', 'signature'];

export async function alter(verifier, transaction) {
    const [record] = await (await Store.open()).accounts();
    const body = written({ transaction });
    const created = Math.floor(Date.now() / 1000);
    const target = verifier.origin + routes.transaction.path;
    const request = await signedRequest(
        { method: 'POST', target, type: 'application/json', body },
        { device: record.device, key: record.key, created },
    );
    const response = await fetch(target, { method: 'POST', headers: requestFields(request), body });
    const fields = names.map((name) => [name, response.headers.get(name)]);
    const received = new Uint8Array(await response.arrayBuffer());
    const keys = [key(verifier.signingKey)];
    const isSigned = async (status, list, bytes, of = request) => {
        let headers;
        try {
            headers = new Headers(list);
        } catch {
            // The browser itself refuses the field.
            return false;
        }
        return Boolean(await signerOfResponse({ status, headers, body: bytes }, of, keys));
    };
    const accepted = [];
    let count = 0;
    const refuse = async (name, ...values) => {
        count += 1;
        if (await isSigned(...values)) accepted.push(name);
    };
    for (const place of received.keys()) {
        for (const bit of [1, 0x80]) {
            const bytes = received.slice();
            bytes[place] ^= bit;
            await refuse(`body ${place}`, 200, fields, bytes);
        }
        const shorter = received.filter((_, at) => at !== place);
        await refuse(`without body ${place}`, 200, fields, shorter);
    }
    for (const [index, [name, value]] of fields.entries()) {
        for (const place of Array.from(value, (_, at) => at)) {
            const altered = String.fromCharCode(value.charCodeAt(place) ^ 1);
            const list = fields.map((field) => [...field]);
            list[index][1] = value.slice(0, place) + altered + value.slice(place + 1);
            // The browser removes a space at an end of a field.
            if (list[index][1].trim() === value) continue;
            await refuse(`${name} ${place}`, 200, list, received);
        }
        await refuse(`no ${name}`, 200, fields.filter(([other]) => other !== name), received);
        await refuse(`${name} twice`, 200, [...fields, [name, value]], received);
    }
    await refuse('status', 201, fields, received);
    for (const member of ['method', 'target', 'digest', 'input', 'signature']) {
        const other = { ...request, [member]: `${request[member]}x` };
        await refuse(`request ${member}`, 200, fields, received, other);
    }
    return { count, accepted, isWhole: await isSigned(200, fields, received) };
}
