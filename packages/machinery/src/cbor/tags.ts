import { CborError } from './cbor-error.ts';
import type { ItemHeads } from './item-heads.ts';
import {
  INDEFINITE,
  TAG,
  TAG_NEGATIVE_BIGNUM,
  TAG_POSITIVE_BIGNUM,
  TAG_TIME_NUMBER,
  TAG_TIME_TEXT,
} from './major-types.ts';
import { type LaterEncoding, laterEncoding } from './strings.ts';
import { epochTime, textTime } from './times.ts';

/** Makes the text of a time from the value in its tag. */
type TimeOf = (value: unknown, major: number, at: number) => string;

/** What the tags around an item say about it. */
export interface Tags {
  /** The encoding of byte strings, from the innermost tag that has one. */
  readonly later: LaterEncoding | undefined;
  readonly time?: TimeOf;
}

/**
 * Reads tags, the first of which was read last, and the head of the item in them. Tags without a meaning for JSON are
 * ignored, as RFC 8949 recommends.
 */
export function readTags(heads: ItemHeads, inherited: LaterEncoding | undefined): Tags {
  let later = inherited;
  let time: TimeOf | undefined;
  while (heads.major === TAG) {
    const { argument: tag, at } = heads;
    if (heads.info === INDEFINITE) throw new CborError('a tag must have a number', at - 1);
    if (tag === TAG_POSITIVE_BIGNUM || tag === TAG_NEGATIVE_BIGNUM)
      throw new CborError('an integer does not fit 64 signed bits', at);
    later = laterEncoding(tag) ?? later;
    if (tag === TAG_TIME_TEXT) time = textTime;
    else if (tag === TAG_TIME_NUMBER) time = epochTime;
    heads.next();
  }
  return time === undefined ? { later } : { later, time };
}
