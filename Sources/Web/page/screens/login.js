// A login that the bank's own page began: it opened this page, and continues afterwards.

import { button, facts, form, paragraph, pinField } from '../elements.js';
import { errorPlace, show, unlessLeft } from '../screen.js';
import { sentence } from '../sentences.js';
import { texts } from '../texts.js';
import { accountName } from './names.js';

/**
 * @param {{ accounts: object[], data: Uint8Array, returnURL: URL }} login the host of the address
 *     is one that the policies of the accounts allow
 */
export function showLogins(page, { accounts, data, returnURL }) {
    const logins = accounts.map((account) => ({ account, data, returnURL }));
    if (logins.length === 1) return showLogin(page, logins[0]);
    return show(
        texts.chooseAccount,
        logins.map((login) => button(accountName(login.account), () => showLogin(page, login))),
        button(texts.back, () => page.showRequests()),
    );
}

/** The bank cannot send the person here again, so this page repeats the start of the login. */
export const showFailedLogin = (page, text, repeat) => show(
    texts.logIn,
    paragraph(text, 'error'),
    button(texts.tryAgain, repeat),
    button(texts.back, () => page.showRequests()),
);

function showLogin(page, { account, data, returnURL }) {
    const pin = pinField(texts.pin);
    const error = errorPlace();
    show(
        texts.loginTitle(account.enterprise),
        facts([[texts.account, accountName(account)]]),
        paragraph(texts.loginIntroduction(returnURL.host)),
        form([...pin.rows, error.place], texts.logIn, logIn),
        button(texts.back, () => page.showRequests()),
    );
    pin.input.focus();

    async function logIn() {
        error.clear();
        const isShown = unlessLeft();
        const { value } = pin.input;
        pin.input.value = '';
        const answer = await page.device.logIn(account, data, value);
        if (answer.code !== 'done') return error.say(sentence(answer), pin.input);
        // After "Back", the bank gets no login.
        if (!isShown()) return;
        const address = new URL(returnURL);
        // Not by `searchParams`, which writes the bank's own parameters in another form.
        address.search += `${address.search && '&'}login=${answer.value}`;
        location.assign(address);
    }
}
