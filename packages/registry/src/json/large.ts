/** Each stage of work on so many bytes takes a millisecond or more. */
const LARGE_BYTES = 64 * 1024;

/**
 * Whether the stages of work on an object of so many bytes are done in separate turns, between which other requests are
 * served. The stages of smaller ones together take less time than a turn.
 */
export const isLarge = (bytes: number): boolean => bytes >= LARGE_BYTES;
