import type { Write } from '../store.ts';

/** The extension of a write that a full store accepts, as it accepts every deletion: part of a deletion, or required for deletions. */
export interface RoomMaking {
  readonly makesRoom?: true;
}

/** The write as one that a full store accepts. */
export const makingRoom = (write: Write): Write & RoomMaking => ({ ...write, makesRoom: true });

/** A full store accepts the write. */
export const makesRoom = (write: Write & RoomMaking): boolean =>
  write.op === 'delete' || write.makesRoom === true;
