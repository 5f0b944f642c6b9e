import { isJsonObject } from '@orch/machinery';
import type { Revision } from '../store.ts';

/** A move of the content of one store into another, in the records of both. */
export interface Migration {
  readonly id: string;
  /** Where the content was, for messages. */
  readonly from: string;
  /** Where it goes, for messages. */
  readonly to: string;
  /** The last revision of the first store. 0 until its writes have stopped. */
  readonly lastRevision: Revision;
  /** The revision at which the second store has the same content; its writes follow. 0 until writes have stopped. */
  readonly nextRevision: Revision;
}

/** Undefined when absent. */
export function decodeMigration(value: unknown): Migration | undefined | 'invalid' {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) return 'invalid';
  const { id, from, to, lastRevision, nextRevision } = value as Readonly<Record<string, unknown>>;
  const isValid =
    typeof id === 'string' &&
    typeof from === 'string' &&
    typeof to === 'string' &&
    typeof lastRevision === 'number' &&
    typeof nextRevision === 'number';
  return isValid ? { id, from, to, lastRevision, nextRevision } : 'invalid';
}
