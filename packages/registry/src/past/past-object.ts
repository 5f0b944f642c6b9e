import type { CachedObject, LabelSet, ObjectEncoder } from '@orch/cache';
import type { Revision } from '@orch/storage';

const noLabels: LabelSet = { labels: {} };

/** An earlier state of an object, for the encodings of cached objects. No selector matches it. */
export class PastObject implements CachedObject {
  readonly key: string;
  readonly rev: Revision;
  readonly labels = noLabels;
  readonly corrupt = false;
  readonly #json: Buffer;

  constructor(key: string, rev: Revision, json: Buffer) {
    this.key = key;
    this.rev = rev;
    this.#json = json;
  }

  field(): string {
    return '';
  }

  get size(): number {
    return this.#json.length;
  }

  json(): Buffer {
    return this.#json;
  }

  encoded(encoder: ObjectEncoder): Buffer {
    return encoder.encode(this);
  }

  isEncoded(): boolean {
    return false;
  }
}
