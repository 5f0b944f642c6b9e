/** The major types of data items (RFC 8949, 3.1): the upper three bits of the first byte. */
export const UNSIGNED = 0;
export const NEGATIVE = 1;
export const BYTES = 2;
export const TEXT = 3;
export const ARRAY = 4;
export const MAP = 5;
export const TAG = 6;
export const SIMPLE = 7;

/** Major type 7: simple values and the widths of numbers with a fraction. */
export const FALSE = 20;
export const TRUE = 21;
export const NULL = 22;
export const FLOAT16 = 25;
export const FLOAT32 = 26;
export const FLOAT64 = 27;

/** The additional information of a length that is not known in advance, and of the byte that ends such an item. */
export const INDEFINITE = 31;
export const BREAK = 0xff;

export const TAG_TIME_TEXT = 0;
export const TAG_TIME_NUMBER = 1;
export const TAG_POSITIVE_BIGNUM = 2;
export const TAG_NEGATIVE_BIGNUM = 3;
/** Byte strings inside these tags stand for text in an encoding (RFC 8949, 3.4.5.2). */
export const TAG_BASE64URL = 21;
export const TAG_BASE64 = 22;
export const TAG_BASE16 = 23;

/** The tag that marks data as CBOR: the first bytes of each document that is written. */
export const SELF_DESCRIBED = Buffer.from([0xd9, 0xd9, 0xf7]);
