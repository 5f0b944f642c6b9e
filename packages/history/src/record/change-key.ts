import type { Revision } from '@orch/storage';

/** The effect of a write on its object. */
export type ChangeKind = 'created' | 'updated' | 'deleted';

/** The content of the key of a recorded change: changes are found and pruned without reading values. */
export interface ChangeKey {
  /** Revision of the state that was replaced; 0 for a creation. */
  readonly base: Revision;
  /** Time of the recording, in epoch milliseconds by the clock of the server. */
  readonly timeMs: number;
  /** Approximate size of the key and the value in the store. */
  readonly bytes: number;
  readonly kind: ChangeKind;
}

/** Enough for every safe integer in base 36. */
const REVISION_DIGITS = 11;
const UID_CHARACTERS = 8;

const letters: Readonly<Record<ChangeKind, string>> = { created: 'c', updated: 'u', deleted: 'd' };
const kinds: Readonly<Record<string, ChangeKind>> = { c: 'created', u: 'updated', d: 'deleted' };

/**
 * The last part of the key of a change. It is unique without a precondition: only one write replaces a revision, and
 * the uid of a created object is unique.
 */
export function encodeChangeKey({ base, timeMs, bytes, kind }: ChangeKey, uid: string): string {
  const revision = base.toString(36).padStart(REVISION_DIGITS, '0');
  const own = kind === 'created' ? uid.slice(0, UID_CHARACTERS) : '';
  return `${revision}.${timeMs.toString(36)}.${bytes.toString(36)}.${letters[kind]}${own}`;
}

const PATTERN = /^([0-9a-z]{11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,8})\.([cud])[0-9a-z-]*$/;

/** Undefined for a key of another program. */
export function decodeChangeKey(text: string): ChangeKey | undefined {
  const [, revision = '', time = '', bytes = '', letter = ''] = PATTERN.exec(text) ?? [];
  const kind = kinds[letter];
  if (kind === undefined) return undefined;
  const number = (digits: string): number => Number.parseInt(digits, 36);
  return { base: number(revision), timeMs: number(time), bytes: number(bytes), kind };
}
