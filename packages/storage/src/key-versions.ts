import type { ReadableKeyValue, Revision } from './store.ts';

/** One state of one key: `kv` is absent when the revision deleted it. */
export interface Version {
  readonly rev: Revision;
  readonly key: string;
  readonly kv?: ReadableKeyValue;
}

/** The versions of keys, each in order. A copy shares them until one of the two writes a key: it costs nothing for each key. */
export class KeyVersions {
  /** The keys that were written since the last copy. */
  #own = new Map<string, Version[]>();
  /** The states before, the latest first. They do not change any more, because copies have them too. */
  #shared: readonly ReadonlyMap<string, readonly Version[]>[] = [];

  copy(): KeyVersions {
    if (this.#own.size > 0) this.#shared = merged([this.#own, ...this.#shared]);
    this.#own = new Map();
    const copy = new KeyVersions();
    copy.#shared = this.#shared;
    return copy;
  }

  get(key: string): readonly Version[] | undefined {
    const own = this.#own.get(key);
    if (own !== undefined) return own;
    for (const layer of this.#shared) {
      const versions = layer.get(key);
      if (versions !== undefined) return versions;
    }
    return undefined;
  }

  append(version: Version): void {
    const own = this.#own.get(version.key);
    if (own === undefined) this.#own.set(version.key, [...(this.get(version.key) ?? []), version]);
    else own.push(version);
  }

  /** Replaces the versions of all keys. */
  replace(versions: Map<string, Version[]>): void {
    this.#own = versions;
    this.#shared = [];
  }
}

/**
 * The same layers, of which each has more than twice the keys of the one before, so that there are few. Merging costs a constant for each
 * key that was written, on average.
 */
function merged(
  layers: readonly ReadonlyMap<string, readonly Version[]>[],
): readonly ReadonlyMap<string, readonly Version[]>[] {
  const [first, second, ...others] = layers;
  if (first === undefined || second === undefined || 2 * first.size < second.size) return layers;
  return merged([new Map([...second, ...first]), ...others]);
}
