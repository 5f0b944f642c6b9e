import type { Write } from '../store.ts';

/**
 * A further key that a commit writes, if and only if the commit takes effect: one with its new value, or one to delete, if it is
 * present.
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
   * At most `MAX_SIDE_WRITES`; all keys of a commit differ. The create revision of a key that is created so is the revision of the commit; the mod revision of a key
   * with a value is that one or a later one before the next commit. A full store leaves out those with values when it accepts the
   * commit. Watches of deleted keys may report the deletion of one that was absent.
   */
  readonly also?: readonly SideWrite[];
}

/** The further keys of a write; undefined when it has none. */
export const sideWritesOf = (write: Write & SideWrites): readonly SideWrite[] | undefined => write.also;
