// Activation: docs/protocol/activation.md.

import {
    FieldReader, FieldWriter, areEqual, fromHexadecimal, hexadecimal, joined, readOrNothing,
    require, utf8,
} from './bytes.js';
import * as cryptography from './cryptography.js';
import { credentialForm, identifier, name } from './values.js';

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const labelled = (label) => new FieldWriter(label).bytes;

// MARK: The id and the code

/** The characters in canonical spelling, without dashes and spaces. */
function canonicalSpelling(typed) {
    require(utf8(typed).length <= 64, 'too many characters');
    const plain = typed.replace(/[- ]/g, '');
    require(/^[0-9A-Za-z]*$/.test(plain) && !/[Uu]/.test(plain), 'another character');
    return plain.toUpperCase().replace(/[IL]/g, '1').replace(/O/g, '0');
}

/** @param {string} typed */
export function readActivationID(typed) {
    const id = canonicalSpelling(typed);
    require(id.length === 10, 'an id of another length');
    return id;
}

/** The 18 random characters of a typed code with correct check characters. */
export async function readActivationCode(typed) {
    const characters = canonicalSpelling(typed);
    require(characters.length === 20, 'a code of another length');
    const random = characters.slice(0, 18);
    const form = new FieldWriter('countersign activation-code-check 1').raw(utf8(random));
    const [first, second] = await cryptography.sha256(form.bytes);
    const check = crockford[first >> 3] + crockford[(first << 2 | second >> 6) & 31];
    require(characters.slice(18) === check, 'other check characters');
    return random;
}

// MARK: The claim

/**
 * @typedef {{
 *     activation: string, serverKey: string, device: string, ephemeralKey: Uint8Array,
 *     deviceKey: Uint8Array, deviceName: string,
 * }} Claim
 */

/** @param {Claim} claim */
function claimTranscript(claim) {
    return cryptography.sha256(new FieldWriter('countersign activation-claim 1')
        .text(claim.activation)
        .field(fromHexadecimal(claim.serverKey))
        .raw(fromHexadecimal(claim.device))
        .field(claim.ephemeralKey)
        .field(claim.deviceKey)
        .text(claim.deviceName)
        .bytes);
}

/** What the device and the verifier compute from the agreement of keys and the code. */
export class ActivationSession {
    #key;
    #transcript;
    proof;

    constructor(key, transcript, proof) {
        this.#key = key;
        this.#transcript = transcript;
        this.proof = proof;
    }

    /**
     * @param {Claim} claim
     * @param {CryptoKey} ephemeralKey
     * @param {Uint8Array} serverKey
     * @param {string} code the 18 characters of `readActivationCode`
     */
    static async start(claim, ephemeralKey, serverKey, code) {
        const transcript = await claimTranscript(claim);
        const agreed = await cryptography.agreed(ephemeralKey, serverKey);
        const input = joined(agreed, utf8(code));
        const secret = await cryptography.extract(transcript, input);
        const key = await cryptography.macKey(secret);
        for (const bytes of [agreed, input, secret]) bytes.fill(0);
        const claimKey = await cryptography.expand(key, labelled('countersign claim-key 1'));
        const proof = await cryptography.mac(claimKey, transcript);
        return new ActivationSession(key, transcript, proof);
    }

    /** The digest that names the commit of this claim. */
    digest() {
        const form = new FieldWriter().field(this.#transcript).field(this.proof);
        return cryptography.sha256(form.bytes);
    }

    /**
     * The session of the second step; undefined if the MAC or the offer is not valid.
     * @param {Uint8Array} offer
     * @param {Uint8Array} offerMAC
     */
    async accept(offer, offerMAC) {
        const said = new FieldWriter('countersign activation-transcript 1')
            .field(this.#transcript).field(this.proof).field(offer).bytes;
        const key = await cryptography.expand(this.#key, labelled('countersign offer-key 1'));
        if (!areEqual(await cryptography.mac(key, said), offerMAC)) return undefined;
        const content = readOrNothing(() => readOffer(offer));
        if (!content) return undefined;
        const form = new FieldWriter().raw(said).field(offerMAC);
        return new EnrolmentSession(this.#key, await cryptography.sha256(form.bytes), content);
    }
}

// MARK: The offer

/**
 * @typedef {{ type: string, id: string, user: string, device: string }} Place an account, and the
 *     ids of its credentials
 * @typedef {{ enterprise: string, epoch: bigint, policy: Uint8Array, places: Place[] }} Offer
 */

/** @returns {Offer} */
export function readOffer(bytes) {
    const reader = new FieldReader(bytes);
    require(reader.text(64) === 'countersign activation-offer 1', 'another label');
    const enterprise = name(reader.text(64));
    const epoch = reader.number();
    const policy = reader.field(16_384);
    const count = reader.count();
    require(count >= 1 && count <= 16, 'another number of accounts');
    const places = Array.from({ length: count }, () => ({
        type: name(reader.text(64)),
        id: name(reader.text(64)),
        user: hexadecimal(reader.raw(16)),
        device: hexadecimal(reader.raw(16)),
    }));
    reader.end();
    const accounts = new Set(places.map(({ type, id }) => `${type}/${id}`));
    const credentials = new Set(places.flatMap(({ user, device }) => [user, device]));
    require(accounts.size === count && credentials.size === 2 * count, 'a repeated account');
    return { enterprise, epoch, policy, places };
}

// MARK: The commit

/** What the device seals, signs and checks after it accepted the offer. */
export class EnrolmentSession {
    #key;
    #context;
    /** @type {Offer} */
    offer;

    constructor(key, context, offer) {
        this.#key = key;
        this.#context = context;
        this.offer = offer;
    }

    /** A credential of the offer, before any rekey. */
    credential(place, kind) {
        const { enterprise } = this.offer;
        return { enterprise, id: place[kind], kind, generation: 0n };
    }

    /**
     * The enrolment of one account, as the members of a message.
     * @param {Place} place
     * @param {{ id: string, privateKey: CryptoKey, publicKey: Uint8Array }} device
     * @param {{ user: Uint8Array, device: Uint8Array }} seeds
     * @param {Uint8Array} nonce
     */
    async enrol(place, device, seeds, nonce) {
        const possession = await cryptography.sign(
            device.privateKey, this.possession(place, device),
        );
        return {
            device: device.id,
            deviceKey: device.publicKey,
            userSeed: await this.#sealed(seeds.user, place, 'user', device, nonce),
            deviceSeed: await this.#sealed(seeds.device, place, 'device', device, nonce),
            possession,
        };
    }

    async #sealed(seed, place, kind, device, nonce) {
        const credential = credentialForm(this.credential(place, kind));
        const label = labelled('countersign activation-seed-key 1');
        const key = await cryptography.expand(this.#key, joined(label, credential));
        const associated = new FieldWriter('countersign activation-seed 1')
            .field(this.#context)
            .raw(credential)
            .raw(fromHexadecimal(device.id))
            .field(device.publicKey);
        return cryptography.seal(key, nonce, seed, associated.bytes);
    }

    /** The bytes that each new device key signs. */
    possession(place, device) {
        return new FieldWriter('countersign device-possession 1')
            .field(this.#context)
            .text(place.type)
            .text(place.id)
            .raw(fromHexadecimal(place.user))
            .raw(fromHexadecimal(place.device))
            .raw(fromHexadecimal(identifier(device.id)))
            .field(device.publicKey)
            .bytes;
    }

    /** The receipt that the verifier sends with these outcomes. */
    async receipt(enrolments, outcomes) {
        const form = new FieldWriter('countersign activation-receipt 1')
            .field(this.#context).count(enrolments.length);
        for (const enrolment of enrolments) {
            form.raw(fromHexadecimal(enrolment.device)).field(enrolment.deviceKey);
            for (const seed of [enrolment.userSeed, enrolment.deviceSeed]) {
                form.field(seed.slice(0, 12)).field(seed.slice(12));
            }
            form.field(enrolment.possession);
        }
        form.count(outcomes.length);
        for (const outcome of outcomes) form.text(outcome);
        const key = await cryptography.expand(this.#key, labelled('countersign receipt-key 1'));
        return cryptography.mac(key, form.bytes);
    }

    async isReceipt(receipt, enrolments, outcomes) {
        return areEqual(await this.receipt(enrolments, outcomes), receipt);
    }
}
