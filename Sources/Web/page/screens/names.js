/** How a person reads an account: two banks of one verifier may have equal names of accounts. */
export const accountName = ({ enterprise, type, id }) => `${enterprise} ${type} ${id}`;

export const accountNames = (accounts) => accounts.map(accountName).join(', ');

/** The account is named, because another account may have no problem. */
export const ofAccount = (account, text) =>
    account === undefined ? text : `${accountName(account)}: ${text}`;
