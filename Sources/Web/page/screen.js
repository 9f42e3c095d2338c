// The one screen of the page: a heading that gets the focus, and what follows.

import { element, update } from './elements.js';

const screen = document.getElementById('screen');
const notice = document.getElementById('notice');
const warning = document.getElementById('warning');

/** Whether the notice is newer than the screen. */
let isNew = false;

/** The screen that is shown. */
let current;

/** Replaces the screen by one of the page, whose title is its name. */
export function show(title, ...content) {
    showScreen(`title ${title}`, title, content);
}

/** The same for a request: the bank's title may equal that of a screen or of another request. */
export function showOfRequest(id, title, ...content) {
    showScreen(`request ${id}`, title, content);
}

/**
 * Assistive programs read the heading, because it gets the focus.
 * A newer state of the same screen keeps the notice and the place of the person.
 */
function showScreen(name, title, content) {
    const isSame = current === name;
    current = name;
    clearInputs();
    const heading = element('h1', { tabindex: '-1', dir: 'auto' }, title);
    screen.replaceChildren(heading, ...content.flat().filter((part) => part !== undefined));
    document.title = `${title} – Countersign`;
    if (!isNew && !isSame) notice.textContent = '';
    isNew = false;
    if (!isSame || document.activeElement === document.body) heading.focus({ preventScroll: true });
    if (!isSame) window.scrollTo(0, 0);
}

/** A PIN or a code does not stay in a screen or a page that is left. */
export function clearInputs() {
    for (const input of screen.querySelectorAll('input')) input.value = '';
}

/**
 * A test for a later moment: whether the screen of now is still shown. The answer to a request for
 * another screen may come when the person is already reading or typing elsewhere.
 */
export function unlessLeft() {
    const shown = screen.firstChild;
    return () => screen.firstChild === shown;
}

/** A message above the next screen. */
export function announce(text) {
    notice.textContent = text;
    isNew = true;
}

/** A message above the screen that is shown now, whichever it is. */
export function note(text) {
    notice.textContent = text;
}

/** Shows these elements above each screen, until the next call. */
export function warn(...content) {
    update(warning, content);
}

/** A place for an error of a form; assistive programs read it at once. */
export function errorPlace(text = '') {
    const place = element('p', { class: 'error', role: 'alert' }, text);
    return {
        place,
        say(sentence, input) {
            // The person left the form while the request was under way.
            if (!place.isConnected) return note(sentence);
            place.textContent = sentence;
            return input?.focus();
        },
        clear() {
            place.textContent = '';
        },
    };
}
