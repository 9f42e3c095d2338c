// The events of a stream in the form of server-sent events, and the hints in them.

import { fromUTF8, readOrNothing, utf8 } from './bytes.js';
import { readChangeHint, readPush } from './messages.js';

const maximumEventBytes = 8_192;

/** Parses a stream in pieces of any size. */
export class EventReader {
    #line = [];
    #data = [];
    #count = 0;
    #followsReturn = false;

    /** The data of each event that this piece ends; undefined if an event is too long. */
    take(piece) {
        const events = [];
        for (const byte of piece) {
            // A line feed after a carriage return belongs to the same line end.
            const isSecondEnd = this.#followsReturn && byte === 0x0a;
            this.#followsReturn = byte === 0x0d;
            if (isSecondEnd) continue;
            if (byte === 0x0a || byte === 0x0d) {
                const event = this.#endLine();
                if (event) events.push(event);
                continue;
            }
            this.#line.push(byte);
            this.#count += 1;
            if (this.#count > maximumEventBytes) return undefined;
        }
        return events;
    }

    /** An empty line ends an event. */
    #endLine() {
        const line = readOrNothing(() => fromUTF8(Uint8Array.from(this.#line))) ?? ':';
        this.#line = [];
        if (line !== '') {
            const data = /^data: ?(.*)$/s.exec(line);
            if (data) this.#data.push(data[1]);
            return undefined;
        }
        const data = this.#data;
        this.#data = [];
        this.#count = 0;
        return data.length > 0 ? data.join('\n') : undefined;
    }
}

/** The hint in the data of an event; undefined if it is malformed. */
export function hintIn(data) {
    const bytes = utf8(data);
    const push = readOrNothing(() => readPush(bytes));
    if (push) return { kind: 'transaction', ...push };
    const change = readOrNothing(() => readChangeHint(bytes));
    return change && { kind: 'accountChange', ...change };
}
