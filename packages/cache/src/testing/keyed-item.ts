import { compareKeys } from '@orch/storage';
import type { Keyed } from '../objects/keys.ts';

/** A value with a string as its key. */
export class KeyedItem implements Keyed {
  readonly key: string;
  readonly value: number;

  constructor(key: string, value: number) {
    this.key = key;
    this.value = value;
  }

  hasKey(key: string): boolean {
    return this.key === key;
  }

  compareKey(key: string): number {
    return compareKeys(this.key, key);
  }
}
