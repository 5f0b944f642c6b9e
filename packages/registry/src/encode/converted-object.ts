import type { CachedObject, LabelSet, ObjectEncoder } from '@orch/cache';
import type { Revision } from '@orch/storage';

/**
 * A cached object in another version than the cached one, with its bytes, which remain valid when the object is
 * replaced while it is sent. Its encodings are cached with the object, separate from those of the object itself.
 */
export class ConvertedObject implements CachedObject {
  readonly source: CachedObject;
  readonly #json: Buffer;
  readonly #apiVersion: string;

  constructor(source: CachedObject, json: Buffer, apiVersion: string) {
    this.source = source;
    this.#json = json;
    this.#apiVersion = apiVersion;
  }

  get key(): string {
    return this.source.key;
  }

  get rev(): Revision {
    return this.source.rev;
  }

  get labels(): LabelSet {
    return this.source.labels;
  }

  field(position: number): string {
    return this.source.field(position);
  }

  get corrupt(): boolean {
    return this.source.corrupt;
  }

  get size(): number {
    return this.#json.length;
  }

  json(): Buffer {
    return this.#json;
  }

  encoded(encoder: ObjectEncoder): Buffer {
    return this.source.encoded(this.#ownEncoder(encoder));
  }

  isEncoded(encoder: ObjectEncoder): boolean {
    return this.source.isEncoded(this.#ownEncoder(encoder));
  }

  #ownEncoder(encoder: ObjectEncoder): ObjectEncoder {
    return { ...encoder, id: `${this.#apiVersion} ${encoder.id}`, encode: () => encoder.encode(this) };
  }
}
