export const DAY_MS = 24 * 60 * 60 * 1000;
export const AUTHORITY_MS = 3650 * DAY_MS;
export const LEAF_MS = 365 * DAY_MS;

/** Tolerated clock skew of clients. */
export const BACKDATE_MS = 5 * 60 * 1000;
