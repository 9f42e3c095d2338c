// Elements of a page. Texts are only ever set as text, never as markup.

import { texts } from './texts.js';

/** An action that takes longer shows that it runs. */
const silentMilliseconds = 1_000;

/** An element with attributes, listeners (`onclick`) and children: elements or texts. */
export function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) {
        if (value === undefined || value === false) continue;
        if (typeof value === 'function') made.addEventListener(attribute.slice(2), value);
        else made.setAttribute(attribute, value === true ? '' : value);
    }
    made.append(...children.flat().filter((child) => child !== undefined));
    return made;
}

/** A text of the bank or the person: its direction cannot change the text around it. */
export function isolated(text) {
    return element('bdi', { class: 'isolated' }, text);
}

export function paragraph(text, kind) {
    return element('p', { class: kind }, text);
}

/** A list of names and values; a value may have several lines. */
export function facts(pairs) {
    return element('dl', {}, pairs.flatMap(([name, ...values]) => [
        element('dt', { dir: 'auto' }, name),
        ...values.map((value) => element('dd', { dir: 'auto' }, value)),
    ]));
}

/**
 * Replaces the children. An equal one that is there already stays as it is: it keeps the focus, and
 * assistive programs do not read it again.
 */
export function update(parent, children) {
    const old = [...parent.children];
    const present = children.map((child) => {
        const place = old.findIndex((one) => one.isEqualNode(child));
        return place < 0 ? child : old.splice(place, 1)[0];
    });
    for (const one of old) one.remove();
    for (const [place, child] of present.entries()) {
        if (parent.children[place] !== child) parent.insertBefore(child, parent.children[place]);
    }
}

let fields = 0;

/** A labelled input, with an optional hint below. */
export function field(label, attributes, hint) {
    const id = `field-${(fields += 1)}`;
    const input = element('input', {
        id, type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
        'aria-describedby': hint && `${id}-hint`, ...attributes,
    });
    const rows = [element('label', { for: id }, label), input];
    if (hint) rows.push(element('p', { class: 'hint', id: `${id}-hint` }, hint));
    return { input, rows };
}

/**
 * A field whose digits are hidden. Password managers do not offer to store one-time codes: a stored
 * PIN would give both factors to a copy of the browser profile.
 */
export function pinField(label) {
    return field(label, {
        type: 'password', inputmode: 'numeric', maxlength: '12', autocomplete: 'one-time-code',
    });
}

/** A box to tick, with its label. */
export function checkbox(label, isTicked) {
    const { input, rows: [text] } = field(label, { type: 'checkbox', checked: isTicked });
    return { input, row: element('div', { class: 'choice' }, input, text) };
}

/**
 * A button whose action runs once at a time: a second click while it runs has no effect.
 */
export function button(label, action, kind) {
    const made = element('button', { type: 'button', class: kind }, label);
    made.addEventListener('click', () => runOnce(made, action));
    return made;
}

/** A form with one main action, also by Enter. */
export function form(rows, label, action) {
    const submit = element('button', { type: 'submit', class: 'main' }, label);
    const made = element('form', { novalidate: true, autocomplete: 'off' }, rows, submit);
    made.addEventListener('submit', (event) => {
        event.preventDefault();
        runOnce(submit, action);
    });
    return made;
}

async function runOnce(button, action) {
    if (button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true');
    // Assistive programs read a text that changes, so the line is there before its text.
    const line = element('p', { class: 'hint', role: 'status' });
    button.after(line);
    const timer = setTimeout(() => {
        line.textContent = texts.working;
    }, silentMilliseconds);
    try {
        await action();
    } finally {
        clearTimeout(timer);
        line.remove();
        button.removeAttribute('aria-disabled');
    }
}
