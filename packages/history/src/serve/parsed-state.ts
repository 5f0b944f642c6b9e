import { parseJson } from '@orch/machinery';
import type { PastObjects, StoredResource } from '@orch/registry';
import type { ObjectState } from '../read/object-states.ts';
import type { FoundChange } from '../read/recorded-change.ts';

/** How changes are read in the version that a request is for. */
export interface ChangeView {
  readonly past: PastObjects;
  readonly resource: StoredResource;
  readonly signal: AbortSignal;
}

/** Why a state is not known. */
export const notes = {
  unrecorded: 'a later change was not recorded',
  unreadable: 'the recorded state cannot be read',
  tooLarge: 'the state before was too large to be recorded',
} as const;

/** The object, or why it cannot be compared. */
export async function parsedState(
  { past, resource, signal }: ChangeView,
  { object: key }: Pick<FoundChange, 'object'>,
  state: ObjectState,
): Promise<{ readonly object: unknown } | string> {
  if (state.kind !== 'present') return notes[state.kind === 'unknown' ? state.why : 'unrecorded'];
  try {
    const { rev, stored } = state;
    return { object: parseJson(await past.jsonOf(resource, { key, rev, stored }, signal)) };
  } catch {
    signal.throwIfAborted();
    return notes.unreadable;
  }
}
