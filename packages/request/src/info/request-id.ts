const ACCEPTABLE = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Reports whether a string can be the id of a request: ids are accepted from clients, returned in a header, logged and sought. */
export const isRequestId = (text: string): boolean => ACCEPTABLE.test(text);
