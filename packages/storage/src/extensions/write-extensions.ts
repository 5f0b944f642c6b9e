import type { Write } from '../store.ts';

/**
 * A further key that a commit writes, if and only if the commit takes effect: one that is absent before, with its value, or one
 * to delete, if it is present.
 */
export interface SideWrite {
  readonly key: string;
  /** Undefined for a deletion. */
  readonly value?: Buffer;
}

/** Maximum number of further keys of one commit. */
export const MAX_SIDE_WRITES = 100;

/** The extension of a write with further keys. */
export interface SideWrites {
  /**
   * At most `MAX_SIDE_WRITES`; all keys of a commit differ. The create revision of a key that is created so is the revision of
   * the commit; its mod revision is that one or a later one before the next commit. A full store leaves out those with values
   * when it accepts the commit. Watches of deleted keys may report the deletion of one that was absent.
   */
  readonly also?: readonly SideWrite[];
}

/** The further keys of a write; undefined when it has none. */
export const sideWritesOf = (write: Write & SideWrites): readonly SideWrite[] | undefined => write.also;

/** The extension of a write that a full store accepts, as it accepts every deletion: part of a deletion, or required for deletions. */
export interface RoomMaking {
  readonly makesRoom?: true;
}

/** The write as one that a full store accepts. */
export const makingRoom = (write: Write): Write & RoomMaking => ({ ...write, makesRoom: true });

/** A full store accepts the write. */
export const makesRoom = (write: Write & RoomMaking): boolean =>
  write.op === 'delete' || write.makesRoom === true;
