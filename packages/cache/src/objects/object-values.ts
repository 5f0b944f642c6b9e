import { ownString } from './interner.ts';

/** The values of the fields that most objects do not share: one value for all such fields, or one for each. */
export type DistinctValues = string | readonly string[];

/** The key and the distinct values of an object whose key cannot be read from its JSON, or whose JSON is compressed. */
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
