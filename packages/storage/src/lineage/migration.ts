import { isJsonObject } from '@orch/machinery/json';
import type { Revision } from '../store.ts';

/** A move of the content of one store into another, in the records of both. */
export interface Migration {
  readonly id: string;
  /** The source, for messages. */
  readonly from: string;
  /** The target, for messages. */
  readonly to: string;
  /** The last revision of the first store. 0 until its writes have stopped. */
  readonly lastRevision: Revision;
  /** The revision at which the second store has the same content; its writes follow. 0 until writes have stopped. */
  readonly nextRevision: Revision;
  /** Identifies the first store, which may have several names; absent in records of earlier versions. */
  readonly fromStore?: string;
}

/** Undefined when absent. */
export function decodeMigration(value: unknown): Migration | undefined | 'invalid' {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) return 'invalid';
  const { id, from, to, lastRevision, nextRevision, fromStore } = value as Readonly<Record<string, unknown>>;
  const isValid =
    typeof id === 'string' &&
    typeof from === 'string' &&
    typeof to === 'string' &&
    typeof lastRevision === 'number' &&
    typeof nextRevision === 'number';
  if (!isValid) return 'invalid';
  return {
    id,
    from,
    to,
    lastRevision,
    nextRevision,
    ...(typeof fromStore === 'string' ? { fromStore } : {}),
  };
}
