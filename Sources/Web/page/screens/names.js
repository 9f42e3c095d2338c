/** How a person reads an account: two banks of one verifier may have equal names of accounts. */
export const accountName = ({ enterprise, type, id }) => `${enterprise} ${type} ${id}`;
