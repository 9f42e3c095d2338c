// The parser of event streams, with pieces of any size.

import { EventReader, hintIn } from '/approve/event-reader.js';
import { utf8 } from '/approve/bytes.js';

/** The events of a text that arrives in pieces of this size; undefined if one is too long. */
export function events(text, size) {
    const bytes = utf8(text);
    const reader = new EventReader();
    const found = [];
    for (let place = 0; place < bytes.length; place += size) {
        const more = reader.take(bytes.slice(place, place + size));
        if (!more) return undefined;
        found.push(...more);
    }
    return found;
}

export const hint = (data) => hintIn(data);
