// The status of an account at the verifier.

import { isStatusWithinReach, takeStatus } from './accounts.js';
import { trustedAgreementKey } from './announcements.js';
import { routes } from './messages.js';

/** Fetches the status of an active account and updates its record. */
export async function refresh(core, record) {
    const result = await fetchStatus(core, record, {});
    if (result.code === 'done') await takeOver(core, record, result.value);
    return result;
}

/** A status that moves a counter too far counts for nothing. */
export async function fetchStatus(core, record, request) {
    const result = await core.exchange(routes.status, request, record);
    if (result.code !== 'done' || isStatusWithinReach(record, result.value)) return result;
    return { code: 'counterOutOfStep' };
}

/** A final status names the result of the unanswered message. */
export async function takeOver(core, record, status, { isFinal = false } = {}) {
    const agreementKey = await trustedAgreementKey(
        status.nextAgreementKey, record.origin, record.agreementKey,
    );
    await core.store.change(record.device, (current) => {
        takeStatus(current, status, agreementKey);
        // The proposed seed is now either active or void.
        if (isFinal) current.user.proposed = null;
        return true;
    });
}
