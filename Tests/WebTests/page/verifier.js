// The verifier's side of an activation, for tests.

import { FieldWriter, fromHexadecimal, joined, utf8 } from '/approve/bytes.js';
import * as cryptography from '/approve/cryptography.js';

/** The keys that both sides have after the claim, computed from the verifier's key. */
export async function sessionOf(claim, serverKey, code) {
    const transcript = await cryptography.sha256(new FieldWriter('countersign activation-claim 1')
        .text(claim.activation).field(fromHexadecimal(claim.serverKey))
        .raw(fromHexadecimal(claim.device)).field(claim.ephemeralKey).field(claim.deviceKey)
        .text(claim.deviceName).bytes);
    const agreed = await cryptography.agreed(serverKey, claim.ephemeralKey);
    const key = await cryptography.extract(transcript, joined(agreed, utf8(code)));
    return { transcript, key };
}

export async function offerMAC({ transcript, key }, proof, offer) {
    const label = new FieldWriter('countersign offer-key 1').bytes;
    const said = new FieldWriter('countersign activation-transcript 1')
        .field(transcript).field(proof).field(offer).bytes;
    return cryptography.mac(await cryptography.expand(key, label), said);
}
