import { ownString } from './interner.ts';

/** The values of an object that others do not have: one for all such fields, or one for each. */
export type DistinctValues = string | readonly string[];

/** What an object has in place of its distinct values when its key cannot be read from its JSON, or its JSON is compressed. */
export class KeyedValues {
  readonly key: string;
  readonly distinct: DistinctValues;
  readonly compressed: Buffer | undefined;

  constructor(key: string, distinct: DistinctValues, compressed?: Buffer) {
    this.key = ownString(key);
    this.distinct = distinct;
    this.compressed = compressed;
  }
}

/** The distinct values of an object, or what has them. */
export type ObjectValues = DistinctValues | KeyedValues;
