// The JSON of requests. A device writes them and reads none, so only these tests read them.

import { readActivationID } from '/approve/activation.js';
import { require } from '/approve/bytes.js';
import { either, listOf, members, oneOf, optional, text } from '/approve/json.js';
import { binary, decimal, deviceName, identifier, key, kinds, name } from '/approve/values.js';

const id = text(identifier);

/** In canonical spelling only. */
function activationID(typed) {
    require(readActivationID(typed) === typed, 'another spelling');
    return typed;
}

const envelope = members({
    attempt: id,
    generation: text(decimal),
    epoch: text(decimal),
    counter: text(decimal),
    code: text((code) => {
        require(/^[0-9a-f]{64}$/.test(code), 'not a code');
        return code;
    }),
    blind: text(binary(16)),
});
const submittedClaim = members({
    claim: members({
        activation: text(activationID),
        serverKey: id,
        device: id,
        ephemeralKey: text(key),
        deviceKey: text(key),
        deviceName: text(deviceName),
    }),
    proof: text(binary(32)),
});
const enrolments = listOf(members({
    device: id,
    deviceKey: text(key),
    userSeed: text(binary(60)),
    deviceSeed: text(binary(60)),
    possession: text(binary(64)),
}));
const credential = members({
    enterprise: text(name), id, kind: oneOf(...kinds), generation: text(decimal),
});
const type = oneOf('consent', 'userPIN', 'biometric');
const reason = oneOf('unspecified', 'notMe', 'wrongDetails', 'noLongerWanted');
const attempt = members({ attempt: id });

const differ = (list, member) =>
    new Set(list.map((entry) => String(entry[member]))).size === list.length;

function commit(value) {
    const message = members({
        submittedClaim, enrolments, sibling: optional(members({ device: id, attempt: id })),
    })(value);
    const { claim } = message.submittedClaim;
    const list = message.enrolments;
    require(list.length >= 1 && list.length <= 16, 'another number of accounts');
    require(list[0].device === claim.device, 'another device');
    require(String(list[0].deviceKey) === String(claim.deviceKey), 'another device key');
    require(differ(list, 'device') && differ(list, 'deviceKey'), 'a device twice');
    require(!list.some(({ device }) => device === message.sibling?.device), 'a new sibling');
    return message;
}

function proposal(value) {
    const message = members({
        authority: credential, credential, ephemeralKey: text(key), serverKey: id,
    })(value);
    const [old, next] = [message.authority, message.credential];
    require(old.kind === 'user' && old.enterprise === next.enterprise, 'another authority');
    if (next.kind !== 'user') {
        require(old.id !== next.id, 'the id of the authority');
    } else {
        require(old.id === next.id && next.generation === old.generation + 1n, 'a gap');
    }
    return message;
}

export const requests = {
    'activation/claim': submittedClaim,
    'activation/commit': commit,
    'status': members({
        unanswered: optional(either(
            members({
                commit: members({
                    activation: text(activationID), claim: text(binary(32)), deviceKey: text(key),
                }),
            }),
            members({ codesBelow: text(decimal) }),
        )),
    }),
    'transactions': members({}),
    'transaction': members({ transaction: text(name) }),
    'decision': members({
        transaction: text(name),
        choice: either(members({ approve: type }), members({ reject: reason })),
        evidence: text(binary(64)),
        envelope,
    }),
    'login': members({ dataDigest: text(binary(32)), type, envelope }),
    'pin-check': members({ claimDigest: optional(text(binary(32))), envelope }),
    'rekey': members({ rekey: members({ proposal, seed: text(binary(60)) }), envelope }),
    'biometric/removal': attempt,
    'push': members({
        attempt: id,
        setting: either(
            members({ kind: oneOf('off', 'events') }),
            members({ kind: oneOf('fcm'), token: text((token) => {
                require(/^[A-Za-z0-9_:-]{1,1024}$/.test(token), 'not a token');
                return token;
            }) }),
        ),
    }),
    'deletion': attempt,
    'account/changes': members({}),
    'events': members({}),
};
