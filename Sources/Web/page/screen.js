// The one screen of the page: a heading that gets the focus, and what follows.

import { element } from './elements.js';

const screen = document.getElementById('screen');
const notice = document.getElementById('notice');

/** Replaces the screen. Assistive programs read the heading, because it gets the focus. */
export function show(title, ...content) {
    const heading = element('h1', { tabindex: '-1', dir: 'auto' }, title);
    screen.replaceChildren(heading, ...content.flat().filter((part) => part !== undefined));
    document.title = `${title} – Countersign`;
    heading.focus({ preventScroll: true });
    window.scrollTo(0, 0);
}

/** A message that stays over the next screens; without a text, none. */
export function announce(text = '') {
    notice.textContent = text;
}

/** A place for an error of a form; assistive programs read it at once. */
export function errorPlace(text = '') {
    const place = element('p', { class: 'error', role: 'alert' }, text);
    return {
        place,
        say(sentence, input) {
            place.textContent = sentence;
            input?.focus();
        },
        clear() {
            place.textContent = '';
        },
    };
}
