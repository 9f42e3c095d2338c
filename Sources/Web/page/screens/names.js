/** How a person reads an account. */
export const accountName = ({ type, id }) => `${type} ${id}`;
