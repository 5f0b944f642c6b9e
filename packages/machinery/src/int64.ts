/**
 * A field of 64-bit integers in objects that the client library reads: always a plain number. A value beyond 2^53 is its nearest
 * double, which can be compared, printed and cloned; written back unchanged it has all its digits again. A bigint can be
 * written where a program sets such a value.
 */
export type Int64 = number;
