import { ownBytes } from '@orch/machinery';
import type { KeyValue, Revision } from '@orch/storage';
import type { SourceEvent } from '../objects/object-source.ts';
import type { Slab, SlabSharing } from '../objects/slab.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import type { LabelSet } from '../types.ts';
import type { SentEvent, SentObject, SentPlace } from './messages.ts';

/** Bytes that cost as much as an event. */
const BYTES_PER_COST = 1024;

/** The resource of cached objects, for the encoder. */
export interface EncodedResource {
  readonly prefix: string;
  readonly form?: string;
}

/** An event of the store, with the cached object that it has led to. */
export interface FedEvent {
  readonly event: SourceEvent;
  readonly resource: EncodedResource | undefined;
  readonly object: StoredObject | undefined;
}

/** Encodes the objects and events of one message. */
export class FeedEncoder {
  readonly labels: LabelSet['labels'][] = [];
  readonly #numbers = new Map<LabelSet, number>();
  readonly #slabs = new Map<number, SlabSharing>();
  #copied = 0;

  /** The slabs that the message refers to. */
  get slabs(): Iterable<SlabSharing> {
    return this.#slabs.values();
  }

  /** The cost of the bytes that the message carries. */
  get cost(): number {
    return Math.ceil(this.#copied / BYTES_PER_COST);
  }

  /** The number of a slab, for a place in it. */
  slab({ sharing }: Slab): number | undefined {
    if (sharing !== undefined) this.#slabs.set(sharing.id, sharing);
    return sharing?.id;
  }

  /** `key` is the key of the object in the store. */
  object({ prefix }: EncodedResource, object: StoredObject, key = prefix + object.key): SentObject {
    const { rev, revisionOffset, labels, fields } = object;
    return [key, rev, this.#place(object), revisionOffset, this.#labels(labels), fields];
  }

  event({ event, resource, object }: FedEvent): SentEvent {
    if (event.type === 'delete') return ['delete', event.key, event.modRevision];
    if (resource !== undefined && object !== undefined)
      return ['placed', this.object(resource, object, event.kv.key), resource.form];
    if (event.kv.placed !== undefined) throw new TypeError('events of another thread cannot be sent on');
    return ['stored', this.#stored(event.kv)];
  }

  #place(object: StoredObject): SentPlace {
    // The slab of an object that is not live may have been dropped: no moves would follow.
    const slab = object.live ? this.slab(object.slab) : undefined;
    if (slab !== undefined) return [slab, object.offset, object.size];
    return this.#copy(object.json());
  }

  #stored(kv: KeyValue): KeyValue {
    return kv.unreadable === undefined ? { ...kv, value: this.#copy(kv.value) } : kv;
  }

  /** A message with a view carries the whole memory of the view. */
  #copy(bytes: Buffer): Buffer {
    this.#copied += bytes.length;
    return ownBytes(bytes);
  }

  #labels(set: LabelSet): number {
    let number = this.#numbers.get(set);
    if (number === undefined) {
      number = this.labels.push(set.labels) - 1;
      this.#numbers.set(set, number);
    }
    return number;
  }
}

/** An object that the first thread cannot read, for the others to read themselves. */
export const unreadableValue = (
  { prefix }: EncodedResource,
  object: {
    readonly key: string;
    readonly rev: Revision;
    readonly reason: string;
    readonly isTemporary: boolean;
  },
): KeyValue => ({
  key: prefix + object.key,
  createRevision: object.rev,
  modRevision: object.rev,
  unreadable: object.reason,
  isTemporary: object.isTemporary,
});
