// A login that the bank's own page began: it opened this page, and continues afterwards.

import { button, form, paragraph, pinField } from '../elements.js';
import { errorPlace, show } from '../screen.js';
import { sentence } from '../sentences.js';
import { texts } from '../texts.js';

/**
 * @param {{ account: object, data: Uint8Array, returnURL: URL }} login the host of the address is
 *     one that the policy of the account allows
 */
export function showLogin(page, { account, data, returnURL }) {
    const pin = pinField(texts.pin);
    const error = errorPlace();
    show(
        texts.loginTitle(account.enterprise),
        paragraph(texts.loginIntroduction(returnURL.host)),
        form([...pin.rows, error.place], texts.logIn, logIn),
        button(texts.back, () => page.showRequests()),
    );
    pin.input.focus();

    async function logIn() {
        error.clear();
        const { value } = pin.input;
        pin.input.value = '';
        const answer = await page.device.logIn(account, data, value);
        if (answer.code !== 'done') return error.say(sentence(answer), pin.input);
        returnURL.searchParams.set('login', answer.value);
        page.leave(returnURL.href);
    }
}
