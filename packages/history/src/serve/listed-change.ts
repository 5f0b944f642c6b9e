import { encodeJson, JsonSyntaxError } from '@orch/machinery/json';
import { microTimeOf } from '@orch/machinery/time';
import type { StoredResource } from '@orch/registry';
import { changedFields } from '../read/changed-fields.ts';
import type { ObjectState, ObjectStates } from '../read/object-states.ts';
import type { FoundChange } from '../read/recorded-change.ts';
import { notes, type StateReader } from './state-reader.ts';

/** A change as served. */
export interface ListedChange {
  readonly namespace?: string;
  readonly name: string;
  readonly revision: string;
  /** Revision of the state before the change; absent for a creation. */
  readonly previousRevision?: string;
  readonly time: string;
  readonly change: string;
  readonly verb?: string;
  readonly subresource?: string;
  readonly user?: string;
  /** The user who acted as `user`. */
  readonly impersonatedBy?: string;
  readonly manager?: string;
  readonly uid?: string;
  /** Paths of the fields that changed; absent for creations and deletions, and where a state is unknown. */
  readonly fields?: readonly string[];
  /** Number of further fields. */
  readonly moreFields?: number;
  /** The reasons why parts are missing. */
  readonly note?: string;
}

/** Reads one change, given by its index among the changes of its object. */
export async function listedChange(
  reader: StateReader,
  states: ObjectStates,
  index: number,
): Promise<ListedChange | undefined> {
  const change = states.changes[index];
  if (change === undefined) return undefined;
  const base = withoutValue(change, reader.resource);
  // This state first: the state before the next change was read last.
  const after = change.kind === 'updated' ? await states.after(index) : undefined;
  const value = await states.valueOf(change);
  if (value === undefined) return { ...base, note: notes.unreadable };
  if (change.kind !== 'updated') reader.spend(value.old?.length ?? 0);
  const { verb, subresource, user, impersonator, manager, uid } = value;
  return {
    ...base,
    ...filled({ verb, subresource, user, impersonatedBy: impersonator, manager, uid }),
    ...(after === undefined
      ? {}
      : await difference(reader, change, { before: await states.before(change, value), after })),
  };
}

function withoutValue(change: FoundChange, { type }: StoredResource): ListedChange {
  const slash = type.namespaced ? change.object.indexOf('/') : -1;
  return {
    ...(slash < 0 ? {} : { namespace: change.object.slice(0, slash) }),
    name: change.object.slice(slash + 1),
    revision: String(change.revision),
    ...(change.kind === 'created' ? {} : { previousRevision: String(change.base) }),
    time: microTimeOf(change.timeMs),
    change: change.kind,
  };
}

async function difference(
  reader: StateReader,
  change: FoundChange,
  { before, after }: { readonly before: ObjectState; readonly after: ObjectState },
): Promise<Pick<ListedChange, 'fields' | 'moreFields' | 'note'>> {
  const next = await reader.parsed(change, after);
  const old = await reader.parsed(change, before);
  if (typeof old === 'string') return { note: old };
  if (typeof next === 'string') return { note: next };
  try {
    const { fields, more } = await reader.turns.run(changedFields(old.object, next.object));
    return more === 0 ? { fields } : { fields, moreFields: more };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { note: notes.unreadable };
    throw error;
  }
}

/** Without empty texts. */
const filled = (texts: Readonly<Record<string, string>>): Partial<ListedChange> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

/** The reply to a request for changes. */
export const encodeChanges = (changes: readonly ListedChange[], next: string): Buffer =>
  Buffer.concat([encodeJson(next === '' ? { changes } : { changes, continue: next }), NEWLINE]);

const NEWLINE = Buffer.from('\n');
