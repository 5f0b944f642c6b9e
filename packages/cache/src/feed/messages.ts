import type { KeyValue, Revision } from '@orch/storage';

/** A slab that a thread learns of with this message. */
export interface SentSlab {
  readonly id: number;
  readonly buffer: SharedArrayBuffer;
}

/** Where the bytes of an object are, or a copy of them. */
export type SentPlace = readonly [slab: number, offset: number, size: number] | Uint8Array;

/** An object with its labels, by their number in the message. An array is cheaper to send than an object with names. */
export type SentObject = readonly [
  key: string,
  rev: Revision,
  place: SentPlace,
  revisionOffset: number,
  labels: number,
  fields: readonly string[],
];

export type SentEvent =
  | readonly ['placed', object: SentObject, form: string | undefined]
  /** An object that the first thread does not cache, or cannot read. */
  | readonly ['stored', kv: KeyValue]
  | readonly ['delete', key: string, rev: Revision];

type Labels = Readonly<Record<string, string>>;

/** A message of the first thread. `load` is the number of the load that the message belongs to. */
export type FeedMessage =
  /** Objects of a resource, in the order of their keys. */
  | {
      readonly type: 'part';
      readonly load: number;
      readonly rev: Revision;
      readonly prefix: string;
      readonly form: string | undefined;
      readonly slabs: readonly SentSlab[];
      readonly labels: readonly Labels[];
      readonly objects: readonly SentObject[];
      readonly unreadable: readonly KeyValue[];
    }
  /** All parts were sent. */
  | { readonly type: 'loaded'; readonly load: number; readonly rev: Revision }
  /** All events up to `rev`, after those of the batch before or after the load. */
  | {
      readonly type: 'batch';
      readonly load: number;
      readonly rev: Revision;
      readonly slabs: readonly SentSlab[];
      readonly labels: readonly Labels[];
      readonly events: readonly SentEvent[];
      readonly cost: number;
    }
  /** A slab that the first thread has dropped, and the places to which its slots have moved. Slots stay without `from`. */
  | {
      readonly type: 'retired';
      readonly slab: number;
      readonly slabs: readonly SentSlab[];
      readonly from?: Uint32Array;
      readonly to: Uint32Array;
      readonly offsets: Uint32Array;
    }
  /**
   * No events of the load follow, and all slabs are forgotten: the state has to be loaded again. With `next`, it follows as the load of
   * that number.
   */
  | { readonly type: 'lost'; readonly load: number; readonly reason: string; readonly next?: number };

/** A message of a further thread. */
export type FeedRequest =
  /** Send the state of all resources, and every event after it. The number is even: those of the first thread are odd. */
  | { readonly type: 'load'; readonly load: number }
  /** A part was used. */
  | { readonly type: 'more'; readonly load: number }
  /** Batches of this cost were used. */
  | { readonly type: 'used'; readonly load: number; readonly cost: number }
  /** Send nothing more of the load. */
  | { readonly type: 'end'; readonly load: number }
  /** Objects that the thread lists are scattered in memory. */
  | { readonly type: 'scattered'; readonly prefix: string }
  /** The thread waits for a revision that the first one may not know of. */
  | { readonly type: 'behind'; readonly rev: Revision };
