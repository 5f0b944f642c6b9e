import { KeyVersions, type Version } from './key-versions.ts';
import type { KeyRange } from './keys.ts';
import { compareKeys, lowerBound } from './keys.ts';
import type { KvEvent, ReadableKeyValue, Revision } from './store.ts';

/** Every version of every key since the last compaction, in plain arrays: the reference that backends must match. */
export class ModelHistory {
  /** Every key that has a version, in order. */
  #keys: string[] = [];
  #byKey = new KeyVersions();
  #log: Version[] = [];
  #bytes = 0;

  /** A history with the same versions; both may change afterwards without seeing each other's changes. */
  copy(): ModelHistory {
    const copy = new ModelHistory();
    copy.#keys = this.#keys.slice();
    copy.#log = this.#log.slice();
    copy.#bytes = this.#bytes;
    copy.#byKey = this.#byKey.copy();
    return copy;
  }

  get bytes(): number {
    return this.#bytes;
  }

  append(version: Version): void {
    if (this.#byKey.get(version.key) === undefined)
      this.#keys.splice(lowerBound(this.#keys, version.key), 0, version.key);
    this.#byKey.append(version);
    this.#log.push(version);
    this.#bytes += bytesOf(version);
  }

  /** The value of `key` after revision `at`. */
  read(key: string, at: Revision): ReadableKeyValue | undefined {
    return newestUpTo(this.#byKey.get(key) ?? [], at)?.kv;
  }

  *scan(range: KeyRange, at: Revision): Generator<ReadableKeyValue> {
    for (let i = lowerBound(this.#keys, range.start); i < this.#keys.length; i++) {
      const key = this.#keys[i] ?? '';
      if (compareKeys(key, range.end) >= 0) return;
      const kv = this.read(key, at);
      if (kv !== undefined) yield kv;
    }
  }

  /**
   * Up to about `limit` events of the range after revision `after`, never splitting a revision, and the revision they
   * are complete up to; `last` is the revision of the store.
   */
  events(
    range: KeyRange,
    after: Revision,
    last: Revision,
    limit: number,
  ): { rev: Revision; events: KvEvent[] } {
    const events: KvEvent[] = [];
    let rev = after;
    for (let i = this.#firstAfter(after); i < this.#log.length; i++) {
      const version = this.#log[i];
      if (version === undefined) break;
      if (version.rev !== rev && events.length >= limit) return { rev, events };
      rev = version.rev;
      if (compareKeys(version.key, range.start) >= 0 && compareKeys(version.key, range.end) < 0) {
        events.push(eventOf(version));
      }
    }
    return { rev: last, events };
  }

  compact(through: Revision): void {
    this.#log.splice(0, this.#firstAfter(through));
    const all = this.#keys.map((key) => [key, this.#compacted(key, through)] as const);
    const kept = new Map(all.filter(([, versions]) => versions.length > 0));
    this.#keys = [...kept.keys()];
    this.#byKey.replace(kept);
  }

  /** The versions of a key that stay. */
  #compacted(key: string, through: Revision): Version[] {
    const versions = this.#byKey.get(key) ?? [];
    const newest = newestUpTo(versions, through);
    const kept = versions.filter((v) => v.rev > through || (v === newest && v.kv !== undefined));
    for (const version of versions) if (!kept.includes(version)) this.#bytes -= bytesOf(version);
    return kept;
  }

  #firstAfter(rev: Revision): number {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#log[middle]?.rev ?? 0) <= rev) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function newestUpTo(versions: readonly Version[], at: Revision): Version | undefined {
  return versions.findLast((version) => version.rev <= at);
}

function bytesOf(version: Version): number {
  return Buffer.byteLength(version.key) + (version.kv?.value.length ?? 0);
}

function eventOf(version: Version): KvEvent {
  return version.kv === undefined
    ? { type: 'delete', key: version.key, modRevision: version.rev }
    : { type: 'put', kv: version.kv };
}
