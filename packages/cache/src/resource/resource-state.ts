import { messageOf } from '@orch/machinery';
import { eventKey, eventRevision, type KeyValue, type Revision, readable, StoreError } from '@orch/storage';
import { Arena } from '../objects/arena.ts';
import { compressed } from '../objects/compression.ts';
import { EncodingCache } from '../objects/encoding-cache.ts';
import { FieldInterner } from '../objects/field-layout.ts';
import { type InternedLabels, Interner } from '../objects/interner.ts';
import { KeyTable } from '../objects/key-table.ts';
import { isInScope } from '../objects/keys.ts';
import { ObjectIndexes } from '../objects/object-indexes.ts';
import type { PlacedObject, SourceEvent, SourceObject } from '../objects/object-source.ts';
import type { PackedState } from '../objects/repacker.ts';
import type { Place } from '../objects/slab.ts';
import { StateDraft } from '../objects/state-draft.ts';
import { detachedObject, type ObjectHead, StoredObject } from '../objects/stored-object.ts';
import { Tree } from '../objects/tree.ts';
import { UnreadableObjectsError } from '../objects/unreadable-objects-error.ts';
import type { CachedResource, Ingested, Scope, UnreadableObject } from '../types.ts';
import { CacheEvent } from '../watch/cache-event.ts';
import { EventHistory } from '../watch/event-history.ts';
import type { HistoricObjects } from '../watch/history-events.ts';
import type { StateContext } from './state-context.ts';

/** Bytes compacted for each byte written. More than 1, so that sparse slabs do not accumulate. */
const COMPACTION_PER_BYTE = 4;

/** An index that was made because of a list is dropped when no other list has used it for this time. */
const UNUSED_INDEX_MS = 600_000;

/** Maximum length of the reason for an unreadable object, in UTF-16 units. */
const MOST_REASON = 300;

/** An object that was read but not yet copied into memory of the cache. */
interface HeadedBytes {
  readonly head: ObjectHead;
  readonly read: Pick<Ingested, 'json' | 'insert'>;
}

/** The states of an object before and after a change; either may be absent. */
interface ChangedStates {
  readonly before: StoredObject | undefined;
  readonly after: StoredObject | undefined;
}

/** The objects of a resource by key. */
export type State = Tree<StoredObject>;

/** The objects of one resource, their bytes, indexes and event history. It does not depend on readers or watchers. */
export class ResourceState implements HistoricObjects, PackedState {
  readonly resource: CachedResource;
  readonly indexes: ObjectIndexes;
  readonly history: EventHistory;
  readonly arena: Arena;
  readonly encodingCache: EncodingCache;
  readonly #shared: StateContext;
  readonly #interner = new Interner();
  readonly #fields: FieldInterner;
  #tree: State = Tree.empty<StoredObject>();
  #objects: KeyTable<StoredObject>;
  #lastChange: Revision = 0;
  #supersededBytes = 0;
  /** That of the object that was stored last. */
  #usualNameOffset = 0;
  /** The objects that could not be read, by key; also earlier states of them. */
  readonly #unreadable = new Map<string, UnreadableObject>();

  constructor(resource: CachedResource, shared: StateContext) {
    this.resource = resource;
    this.#shared = shared;
    this.#objects = new KeyTable(shared.seed);
    this.arena = new Arena(1, shared.memory());
    this.indexes = new ObjectIndexes(this);
    this.encodingCache = new EncodingCache(shared.encodings, this.arena);
    this.#fields = new FieldInterner(resource, (text) => this.#interner.string(text), this.encodingCache);
    this.history = new EventHistory({
      release: ({ before }) => {
        if (before !== undefined) this.#unhold(before);
      },
      compress: (state) => this.#compress(state),
    });
    shared.histories.add(this.history);
  }

  /** The current state; it changes with the next event. */
  get tree(): State {
    return this.#tree;
  }

  /** Revision of the last change: the current state is the state at every revision since. */
  get lastChange(): Revision {
    return this.#lastChange;
  }

  /** Total bytes of all replaced states: its growth since a snapshot is the memory that the snapshot keeps alive. */
  get supersededBytes(): number {
    return this.#supersededBytes;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Applies an event; undefined when the cache already has it. */
  apply(event: SourceEvent): CacheEvent | undefined {
    const rev = eventRevision(event);
    const key = eventKey(event).slice(this.resource.prefix.length);
    const before = this.#objects.get(key);
    if (event.type === 'put' ? before !== undefined && before.rev >= rev : before === undefined)
      return undefined;
    const after = event.type === 'put' ? this.#store(event.kv, before) : undefined;
    return this.#change(rev, key, { before, after });
  }

  /** The objects in the scope that cannot be read now. Usually there are none. */
  unreadable(scope: Scope): readonly UnreadableObject[] {
    if (this.#unreadable.size === 0) return [];
    const { exact } = scope;
    const found = exact === undefined ? [...this.#unreadable.values()] : [this.#unreadable.get(exact)];
    return found
      .filter((object) => object !== undefined)
      .filter((object) => this.#isUnreadableNow(object, scope));
  }

  /** Number of objects that currently cannot be read. */
  get unreadableCount(): number {
    let count = 0;
    for (const key of this.#unreadable.keys()) if (this.#objects.get(key)?.corrupt === true) count++;
    return count;
  }

  #isUnreadableNow({ key }: UnreadableObject, scope: Scope): boolean {
    return isInScope(scope, key) && this.#objects.get(key)?.corrupt === true;
  }

  /** Keys of the objects whose bytes could not be read. */
  corruptKeys(): readonly string[] {
    const keys: string[] = [];
    for (const object of this.#objects.values()) if (object.corrupt) keys.push(object.key);
    return keys;
  }

  /** Replaces an object whose bytes could not be read by the same revision of it; undefined when that cannot be read either. */
  replaceCorrupt(kv: KeyValue): CacheEvent | undefined {
    const key = kv.key.slice(this.resource.prefix.length);
    const before = this.#objects.get(key);
    if (before?.corrupt !== true || before.rev !== kv.modRevision) return undefined;
    const read = this.#read(key, kv, before);
    if (read instanceof UnreadableObjectsError) {
      for (const object of read.objects) this.#unreadable.set(key, object);
      return undefined;
    }
    return this.#change(kv.modRevision, key, { before, after: this.#placed(read) });
  }

  /** Clears the event history: no watch can resume from a revision before `rev`. */
  beginHistory(rev: Revision): void {
    this.#lastChange = rev;
    this.#shared.histories.reset(this.history, rev);
  }

  /** An empty state, for `replaceAll`. */
  draft(): StateDraft {
    return new StateDraft(this.#shared.seed);
  }

  /** Replaces the state by another one, without events. Objects that are in both states are kept. */
  replaceAll(rev: Revision, { tree, objects: byKey }: StateDraft): void {
    for (const object of byKey.values()) {
      const old = this.#objects.get(object.key);
      if (old === object) continue;
      object.hold();
      this.indexes.replace(old, object);
    }
    for (const old of this.#objects.values()) {
      const now = byKey.get(old.key);
      if (now === old) continue;
      if (now === undefined) this.indexes.replace(old, undefined);
      this.#supersededBytes += old.size;
      this.#unhold(old);
    }
    this.#tree = tree;
    this.#objects = byKey;
    for (const key of this.#unreadable.keys())
      if (byKey.get(key)?.corrupt !== true) this.#unreadable.delete(key);
    this.beginHistory(rev);
  }

  /** A listed state of an object: the cached one if the revision is the same, else a new one that is not yet part of the state. */
  stage(kv: SourceObject): StoredObject {
    const current = this.#objects.get(kv.key.slice(this.resource.prefix.length));
    if (current?.rev !== kv.modRevision) return this.#store(kv, current);
    const json = kv.placed?.json;
    if (json !== undefined && !Buffer.isBuffer(json) && current.isAt(json)) this.arena.moveTo(current, json);
    return current;
  }

  /** Releases the objects that `stage` returned for a draft that is not used. */
  discard(draft: StateDraft): void {
    for (const object of draft.objects.values()) if (object.holders === 0) this.arena.release(object);
  }

  /** Makes an object that `stage` returned the current state of its key, and returns the event. */
  applyState(after: StoredObject): CacheEvent {
    const { key } = after;
    return this.#change(after.rev, key, { before: this.#objects.get(key), after });
  }

  detached(kv: KeyValue): StoredObject {
    const key = kv.key.slice(this.resource.prefix.length);
    const found = this.#read(key, kv, this.#objects.get(key));
    if (found instanceof UnreadableObjectsError) throw found;
    return detachedObject(found.head, found.read.json, found.read.insert);
  }

  /**
   * Periodic maintenance: compaction, and removal of unused label sets and indexes. It allocates nothing where there is nothing
   * to do: there may be thousands of resources.
   */
  maintain(now: number): void {
    this.arena.compact(256 * 1024);
    this.indexes.expire(now - UNUSED_INDEX_MS);
    if (!this.#interner.isSweepDue) return;
    this.#interner.sweep((visit) => {
      for (const object of this.#objects.values()) visit(object.labels);
    });
  }

  dispose(): void {
    this.#shared.histories.remove(this.history);
    this.history.reset(this.#lastChange);
    this.encodingCache.clear();
    this.indexes.clear();
    this.arena.end();
  }

  #change(rev: Revision, key: string, states: ChangedStates): CacheEvent {
    const { before, after } = states;
    if (after !== undefined) this.#put(key, after, before);
    else if (before !== undefined) this.#remove(key, before);
    this.#lastChange = rev;
    const event = new CacheEvent(rev, states, {
      at: this.#shared.monotonic(),
      encodedEvents: this.#shared.encodedEvents,
    });
    if (before !== undefined) {
      // The old state is only in the event history now. Lists no longer contain it, so its encodings are released.
      this.#supersededBytes += before.size;
      this.encodingCache.release(before);
    }
    this.#shared.histories.push(this.history, event);
    this.arena.compact((after?.size ?? 0) * COMPACTION_PER_BYTE + 4096);
    return event;
  }

  #put(key: string, object: StoredObject, before: StoredObject | undefined): void {
    object.hold();
    if (!object.corrupt && this.#unreadable.size > 0) this.#unreadable.delete(key);
    this.#objects.set(object, key, before);
    this.#tree.set(object, key, before);
    this.indexes.replace(before, object);
  }

  #remove(key: string, object: StoredObject): void {
    this.#objects.delete(key, object);
    this.#unreadable.delete(key);
    this.#tree.delete(key, object);
    this.indexes.replace(object, undefined);
  }

  #unhold(object: StoredObject): void {
    object.unhold();
    if (object.holders > 0) return;
    this.encodingCache.release(object);
    this.arena.release(object);
  }

  /** For old states only: lists use the bytes of current ones without copying them. */
  #compress(state: StoredObject): void {
    const bytes = compressed(state.json());
    if (bytes === undefined) return;
    this.encodingCache.release(state);
    this.arena.release(state);
    state.replaceBy(bytes);
  }

  #store(kv: SourceObject, before: StoredObject | undefined): StoredObject {
    const key = kv.key.slice(this.resource.prefix.length);
    if (kv.placed !== undefined) return this.#adopted(key, kv, before);
    const found = this.#read(key, kv, before);
    return this.#placed(found instanceof UnreadableObjectsError ? this.#placeholder(found, before) : found);
  }

  /** The placeholder of an object that cannot be read. */
  #placeholder({ objects: [unreadable], cause }: UnreadableObjectsError, before: StoredObject | undefined) {
    if (unreadable === undefined) throw new TypeError('no object cannot be read');
    const { key, rev } = unreadable;
    this.#shared.corruptObject(this.resource, key, cause);
    this.#unreadable.set(key, unreadable);
    const read = this.resource.corrupt?.(key, rev, cause) ?? unreadablePlaceholder(this.resource, key, rev);
    return this.#head(key, rev, read, { before, corrupt: true });
  }

  /** An object that another thread has read. */
  #adopted(
    key: string,
    { modRevision, placed }: PlacedObject,
    before: StoredObject | undefined,
  ): StoredObject {
    const { json, form, labels, fields, revisionOffset } = placed;
    // One of the threads has not received the definition that the other one uses.
    if (form !== this.resource.form)
      throw new StoreError('compacted', `${this.resource.name} was read by another definition`);
    const read = { labels, fields, revisionOffset };
    const { head } = this.#head(key, modRevision, read, { before, corrupt: false });
    const place = Buffer.isBuffer(json) ? this.arena.place(json) : this.arena.placeAt(json);
    const object = this.#storedAt(head, place);
    this.resource.adopted?.(object.json());
    return object;
  }

  #placed({ head, read }: HeadedBytes): StoredObject {
    return this.#storedAt(head, this.arena.place(read.json, read.insert));
  }

  #storedAt(head: ObjectHead, place: Place): StoredObject {
    const object = new StoredObject(head, place);
    this.#usualNameOffset = object.nameOffset;
    this.arena.adopt(object);
    return object;
  }

  /** An error, which is not thrown, for bytes that cannot be read. */
  #read(key: string, kv: KeyValue, before: StoredObject | undefined): HeadedBytes | UnreadableObjectsError {
    const { modRevision: rev } = kv;
    try {
      return this.#head(key, rev, this.resource.ingest(readable(kv).value, rev, key), {
        before,
        corrupt: false,
      });
    } catch (cause) {
      const reason = messageOf(cause).slice(0, MOST_REASON);
      const isTemporary = kv.unreadable !== undefined && kv.isTemporary;
      return new UnreadableObjectsError([{ key, rev, reason, isTemporary }], { cause });
    }
  }

  #head<T extends Pick<Ingested, 'labels' | 'fields' | 'revisionOffset'>>(
    key: string,
    rev: Revision,
    read: T,
    { before, corrupt }: { before: StoredObject | undefined; corrupt: boolean },
  ): { readonly head: ObjectHead; readonly read: T } {
    const labels: InternedLabels = this.#interner.labels(read.labels, before?.labels);
    const fields = this.#fields.hold(key, read.fields, before);
    const { revisionOffset = -1 } = read;
    const usualNameOffset = this.#usualNameOffset;
    return { head: { key, rev, labels, fields, corrupt, revisionOffset, usualNameOffset }, read };
  }
}

/** The object served for bytes that cannot be read, so that it can be found and deleted. */
function unreadablePlaceholder(resource: CachedResource, key: string, rev: Revision): Ingested {
  const slash = key.indexOf('/');
  const name = key.slice(slash + 1);
  const namespace = slash < 0 ? undefined : key.slice(0, slash);
  const json = Buffer.from(JSON.stringify({ metadata: { name, namespace, resourceVersion: String(rev) } }));
  const values: Record<string, string> = { 'metadata.name': name, 'metadata.namespace': namespace ?? '' };
  return { json, labels: {}, fields: resource.selectableFields.map((field) => values[field] ?? '') };
}
