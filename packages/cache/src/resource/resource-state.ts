import type { KeyValue, KvEvent, Revision } from '@orch/storage';
import { Arena } from '../objects/arena.ts';
import { EncodingCache } from '../objects/encoding-cache.ts';
import { FieldIndex } from '../objects/field-index.ts';
import { type InternedLabels, Interner } from '../objects/interner.ts';
import { ownString } from '../objects/keys.ts';
import type { StateDraft } from '../objects/state-draft.ts';
import { looseObject, type ObjectHead, StoredObject } from '../objects/stored-object.ts';
import { Tree } from '../objects/tree.ts';
import type { CachedResource, Ingested } from '../types.ts';
import { CacheEvent } from '../watch/cache-event.ts';
import { EventHistory } from '../watch/event-history.ts';
import type { SharedBudgets } from './shared-budgets.ts';

/** A little more is moved out of sparse slabs than is written, so that they never pile up. */
const COMPACTION_PER_BYTE = 4;

/** An object that was read, its bytes not yet copied. */
interface HeadedBytes {
  readonly head: ObjectHead;
  readonly read: Pick<Ingested, 'json' | 'insert'>;
}

/** A frozen state of a resource. */
export type State = Tree<StoredObject>;

/** The objects of one resource, their bytes, indexes and recent history. Knows nothing of who reads them. */
export class ResourceState {
  readonly resource: CachedResource;
  readonly indexes: readonly FieldIndex[];
  readonly history: EventHistory;
  readonly arena = new Arena();
  readonly encodingCache: EncodingCache;
  readonly #shared: SharedBudgets;
  readonly #interner = new Interner();
  #tree: State = Tree.empty<StoredObject>();
  #objects = new Map<string, StoredObject>();
  #lastChange: Revision = 0;
  #supersededBytes = 0;

  constructor(resource: CachedResource, shared: SharedBudgets) {
    this.resource = resource;
    this.#shared = shared;
    this.indexes = makeIndexes(resource);
    this.encodingCache = new EncodingCache(shared.encodings, this.arena);
    this.history = new EventHistory((event) => {
      if (event.before !== undefined) this.#unhold(event.before);
    });
    shared.histories.add(this.history);
  }

  /** The current state; it changes with the next event. */
  get tree(): State {
    return this.#tree;
  }

  /** Revision of the last change: the current state is the state at every revision from there on. */
  get lastChange(): Revision {
    return this.#lastChange;
  }

  /** Bytes of all states that were ever replaced: its growth since a snapshot is what the snapshot keeps alive. */
  get supersededBytes(): number {
    return this.#supersededBytes;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Applies an event of the store; undefined when the cache has it already. */
  apply(event: KvEvent): CacheEvent | undefined {
    const rev = event.type === 'put' ? event.kv.modRevision : event.modRevision;
    const key = (event.type === 'put' ? event.kv.key : event.key).slice(this.resource.prefix.length);
    const before = this.#objects.get(key);
    if (event.type === 'put' ? before !== undefined && before.rev >= rev : before === undefined)
      return undefined;
    const after = event.type === 'put' ? this.#store(event.kv, before) : undefined;
    return this.#change(rev, before, after);
  }

  /** Makes the current state the beginning of history: what came at or before `rev` cannot be resumed from. */
  beginHistory(rev: Revision): void {
    this.#lastChange = rev;
    this.#shared.histories.reset(this.history, rev);
  }

  /** Replaces the state by another one, without events. Objects that are current already stay as they are. */
  replaceAll(rev: Revision, { tree, objects: byKey }: StateDraft): void {
    for (const object of byKey.values()) {
      const old = this.#objects.get(object.key);
      if (old === object) continue;
      object.holders++;
      for (const index of this.indexes) index.replace(old, object);
    }
    for (const old of this.#objects.values()) {
      const now = byKey.get(old.key);
      if (now === old) continue;
      if (now === undefined) for (const index of this.indexes) index.replace(old, undefined);
      this.#supersededBytes += old.size;
      this.#unhold(old);
    }
    this.#tree = tree;
    this.#objects = byKey;
    this.beginHistory(rev);
  }

  /** A listed state of an object: the cached one if it is the same, else a new one that is not yet part of the state. */
  takeOver(kv: KeyValue): StoredObject {
    const current = this.#objects.get(kv.key.slice(this.resource.prefix.length));
    return current?.rev === kv.modRevision ? current : this.#store(kv, current);
  }

  /** Gives up what `takeOver` returned for a state that never becomes the current one. */
  discard(draft: StateDraft): void {
    for (const object of draft.objects.values()) if (object.holders === 0) this.arena.release(object);
  }

  /** Makes what `takeOver` returned the state of its object, as an event. */
  applyState(after: StoredObject): CacheEvent {
    return this.#change(after.rev, this.#objects.get(after.key), after);
  }

  /** A state of an object from history, in memory of its own. */
  loose(kv: KeyValue): StoredObject {
    const key = kv.key.slice(this.resource.prefix.length);
    const { head, read } = this.#read(key, kv, this.#objects.get(key));
    return looseObject(head, read.json, read.insert);
  }

  /** Work that is done in small steps while nothing happens. */
  housekeep(): void {
    this.arena.compact(256 * 1024);
    this.#interner.sweep((visit) => {
      for (const object of this.#objects.values()) visit(object.labels);
    });
  }

  dispose(): void {
    this.#shared.histories.remove(this.history);
    this.history.reset(this.#lastChange);
    this.encodingCache.clear();
  }

  #change(rev: Revision, before: StoredObject | undefined, after: StoredObject | undefined): CacheEvent {
    if (after !== undefined) this.#put(after, before);
    else if (before !== undefined) this.#remove(before);
    this.#lastChange = rev;
    const event = new CacheEvent(
      rev,
      { before, after },
      { at: this.#shared.monotonic(), encodedEvents: this.#shared.encodedEvents },
    );
    if (before !== undefined) {
      // The window holds the old state now; nobody lists it any more, so its encodings go.
      this.#supersededBytes += before.size;
      this.encodingCache.release(before);
    }
    this.#shared.histories.push(this.history, event);
    this.arena.compact((after?.size ?? 0) * COMPACTION_PER_BYTE + 4096);
    return event;
  }

  #put(object: StoredObject, before: StoredObject | undefined): void {
    object.holders++;
    this.#objects.set(object.key, object);
    this.#tree.set(object);
    for (const index of this.indexes) index.replace(before, object);
  }

  #remove(object: StoredObject): void {
    this.#objects.delete(object.key);
    this.#tree.delete(object.key);
    for (const index of this.indexes) index.replace(object, undefined);
  }

  #unhold(object: StoredObject): void {
    object.holders--;
    if (object.holders > 0) return;
    this.encodingCache.release(object);
    this.arena.release(object);
  }

  #store(kv: KeyValue, before: StoredObject | undefined): StoredObject {
    const key = before?.key ?? ownString(kv.key.slice(this.resource.prefix.length));
    const { head, read } = this.#read(key, kv, before);
    const object = new StoredObject(head, this.arena.place(read.json, read.insert), this.encodingCache);
    this.arena.adopt(object);
    return object;
  }

  #read(key: string, kv: KeyValue, before: StoredObject | undefined): HeadedBytes {
    const { modRevision: rev } = kv;
    try {
      return this.#head(key, rev, this.resource.ingest(kv.value, rev, key), { before, corrupt: false });
    } catch (error) {
      this.#shared.corruptObject(this.resource, key, error);
      const read = this.resource.corrupt?.(key, rev, error) ?? standIn(this.resource, key, rev);
      return this.#head(key, rev, read, { before, corrupt: true });
    }
  }

  #head(
    key: string,
    rev: Revision,
    read: Ingested,
    { before, corrupt }: { before: StoredObject | undefined; corrupt: boolean },
  ): HeadedBytes {
    const labels: InternedLabels = this.#interner.labels(read.labels, before?.labels);
    const fields = this.#interner.fields(key, read.fields, before?.fields);
    const head = { key, rev, labels, fields, corrupt, revisionOffset: read.revisionOffset ?? -1 };
    return { head, read };
  }
}

function makeIndexes(resource: CachedResource): readonly FieldIndex[] {
  return resource.indexedFields.map((field) => {
    const position = resource.selectableFields.indexOf(field);
    if (position < 0) throw new Error(`${resource.name}: the indexed field ${field} is not selectable`);
    return new FieldIndex(field, position);
  });
}

/** What is served for bytes that cannot be read, so that the object can at least be found and deleted. */
function standIn(resource: CachedResource, key: string, rev: Revision): Ingested {
  const slash = key.indexOf('/');
  const name = key.slice(slash + 1);
  const namespace = slash < 0 ? undefined : key.slice(0, slash);
  const json = Buffer.from(JSON.stringify({ metadata: { name, namespace, resourceVersion: String(rev) } }));
  const known: Record<string, string> = { 'metadata.name': name, 'metadata.namespace': namespace ?? '' };
  return { json, labels: {}, fields: resource.selectableFields.map((field) => known[field] ?? '') };
}
