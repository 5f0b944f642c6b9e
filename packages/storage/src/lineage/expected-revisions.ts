import { BoundedCache } from '@orch/machinery/bounded-cache';
import type { Guard, Revision, Store, Write } from '../store.ts';
import { withCarriedRevisions } from './carried-value.ts';
import type { RevisionMap } from './revision-map.ts';

/** A revision that no store reaches: a precondition with it fails, as one with a revision before the first must. */
const UNREACHED = Number.MAX_SAFE_INTEGER;

/** Maximum number of cached revisions: those of keys that many writes have as a precondition, such as namespaces. */
const MAX_KEPT = 4096;

interface Known {
  readonly outer: Revision;
  readonly inner: Revision;
}

/**
 * Converts the preconditions of writes to revisions of the store. Those of a carried key need its value, which is read
 * once: a carried key that is written gets a new revision, so that what was read then fails as a conflict. So are keys beside
 * those of the registry that the store had before the migration: their revisions may be the first one for clients.
 */
export class ExpectedRevisions {
  readonly #store: Pick<Store, 'get'>;
  readonly #revisions: RevisionMap;
  readonly #known = new BoundedCache<string, Known>({ maxEntries: MAX_KEPT });

  constructor(store: Pick<Store, 'get'>, revisions: RevisionMap) {
    this.#store = store;
    this.#revisions = revisions;
  }

  /** Without a promise when nothing has to be read. */
  innerWrite(write: Write, signal: AbortSignal): Write | Promise<Write> {
    const { guards = [] } = write;
    const all: readonly Guard[] =
      write.op === 'create' ? guards : [{ key: write.key, revision: write.expected }, ...guards];
    const unknown = all.filter((guard) => this.#inner(guard) === undefined);
    return unknown.length === 0 ? this.#converted(write) : this.#readAndConverted(write, unknown, signal);
  }

  async #readAndConverted(write: Write, unknown: readonly Guard[], signal: AbortSignal): Promise<Write> {
    const read = new Map<string, Known>();
    for (const guard of unknown) await this.#read(guard, read, signal);
    return this.#converted(write, read);
  }

  #converted(write: Write, read: ReadonlyMap<string, Known> = nothingRead): Write {
    const innerOf = (guard: Guard): Revision => this.#inner(guard, read) ?? UNREACHED;
    const { guards } = write;
    const inner = guards?.map((guard) => ({ key: guard.key, revision: innerOf(guard) }));
    const guarded = inner === undefined ? write : { ...write, guards: inner };
    if (guarded.op === 'create') return guarded;
    return { ...guarded, expected: innerOf({ key: guarded.key, revision: guarded.expected }) };
  }

  /** Undefined when the key has to be read. */
  #inner({ key, revision }: Guard, read: ReadonlyMap<string, Known> = nothingRead): Revision | undefined {
    const written = this.#revisions.written(revision);
    if (written !== undefined) return written;
    if (this.#revisions.carriedThrough === 0) return UNREACHED;
    const known = read.get(key) ?? this.#known.get(key);
    return known?.outer === revision ? known.inner : undefined;
  }

  async #read({ key, revision }: Guard, read: Map<string, Known>, signal: AbortSignal): Promise<void> {
    const { kv } = await this.#store.get(key, signal);
    // A later revision is converted without reading.
    if (kv === undefined || kv.modRevision > this.#revisions.carriedThrough) return;
    const { modRevision } = this.#revisions.isCarried(kv)
      ? withCarriedRevisions(kv)
      : { modRevision: this.#revisions.outer(kv.modRevision) };
    if (modRevision !== revision) return;
    const known = { outer: revision, inner: kv.modRevision };
    read.set(key, known);
    this.#known.set(key, known);
  }
}

const nothingRead: ReadonlyMap<string, Known> = new Map();
