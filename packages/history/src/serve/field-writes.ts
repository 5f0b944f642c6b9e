import type { UserInfo } from '@orch/auth';
import { ApiError } from '@orch/machinery';
import type { Turns } from '@orch/machinery/concurrency';
import type { JsonSlice } from '@orch/machinery/json';
import { microTimeOf } from '@orch/machinery/time';
import type { FieldHistory, FieldQuestion, FoundWrite, PastObjects, StoredResource } from '@orch/registry';
import { attributesOf, parseHistoryInfo } from '@orch/request';
import type { Store } from '@orch/storage';
import { isSameValue } from '../read/changed-fields.ts';
import { type ObjectState, ObjectStates } from '../read/object-states.ts';
import type { FoundChange } from '../read/recorded-change.ts';
import type { HistoryRecorder } from '../record/history-recorder.ts';
import { StateReader } from './state-reader.ts';
import { type HistoryRead, type VisibilityOptions, visibleFrom } from './visible-from.ts';

export interface FieldWritesOptions extends VisibilityOptions {
  readonly store: Pick<Store, 'get' | 'scan'>;
  readonly recorder: HistoryRecorder;
  readonly past: PastObjects;
  readonly turns: Turns;
}

/** Finds the changes that gave fields their values, for users who may read the history of the object. */
export class FieldWrites implements FieldHistory {
  readonly #options: FieldWritesOptions;

  constructor(options: FieldWritesOptions) {
    this.#options = options;
  }

  /**
   * The latest change of a field. Undefined when the user may not read the history of the object, when there is none,
   * and when the change is not in the visible part of it.
   */
  async lastWrite(
    { place, version, fieldOf }: FieldQuestion,
    { user, signal }: { readonly user: UserInfo; readonly signal: AbortSignal },
  ): Promise<FoundWrite> {
    const { authorizer, past, recorder, turns } = this.#options;
    const line = { method: 'GET', rawPath: pathOf(place, version), rawQuery: '', contentType: undefined };
    const read: HistoryRead = {
      info: parseHistoryInfo(line),
      user,
      request: { method: line.method, signal },
    };
    const { verdict } = await authorizer.authorize(attributesOf(read.info, user), read.request);
    if (verdict !== 'allow') return undefined;
    const resource = await past.resourceOf(read).catch(absentWhereNotServed);
    if (resource === undefined || recorder.exclusionOf(resource) !== undefined) return undefined;
    const reader = new StateReader({ past, resource, signal, maxBytes: QUESTION_BYTES, turns });
    return lastChange(reader, await this.#statesOf(resource, read), fieldOf);
  }

  async #statesOf(resource: StoredResource, read: HistoryRead): Promise<ObjectStates> {
    const { store, recorder, past } = this.#options;
    const from = await visibleFrom(this.#options, resource, read);
    const object = past.keyOf(resource, read);
    const place = {
      storeKey: resource.keyPrefix + object,
      historyPrefix: recorder.prefixOf(resource),
      object,
    };
    return ObjectStates.read(store, place, { from, signal: read.request.signal });
  }
}

/** The size of states that one request reads: about a tenth of a second of work. */
const QUESTION_BYTES = 16 * 1024 * 1024;

/** Walks the states from the present one back, to the first in which the field differs. */
async function lastChange(
  reader: StateReader,
  states: ObjectStates,
  fieldOf: FieldQuestion['fieldOf'],
): Promise<FoundWrite> {
  /** Undefined where the state is unknown. */
  const fieldIn = async (
    change: FoundChange,
    state: ObjectState,
  ): Promise<{ readonly field: JsonSlice | undefined } | undefined> => {
    if (state.kind === 'absent') return { field: undefined };
    const parsed = await reader.parsed(change, state);
    return typeof parsed === 'string' ? undefined : { field: fieldOf(parsed.object) };
  };
  let after = await states.after(states.changes.length - 1);
  for (const [index, change] of [...states.changes.entries()].reverse()) {
    if (change.kind === 'deleted' || after.kind !== 'present') return undefined;
    if (reader.isSpent) return 'unread';
    await reader.turns.next();
    const value = await states.valueOf(change);
    // This state first: the one after the change was parsed last.
    const next = await fieldIn(change, after);
    const old = await fieldIn(change, await states.before(change, value));
    if (value === undefined || old === undefined || next === undefined) return undefined;
    if (!(await reader.turns.run(isSameValue(old.field, next.field)))) {
      const { user, impersonator } = value;
      const resourceVersion = String(change.revision);
      return { user, impersonator, time: microTimeOf(change.timeMs), resourceVersion };
    }
    after = await states.after(index - 1);
  }
  return undefined;
}

/** The path of the history of an object. */
function pathOf({ group, resource, namespace, name }: FieldQuestion['place'], version: string): string {
  const base = group === '' ? ['api', version] : ['apis', group, version];
  const within = namespace === '' ? [] : ['namespaces', namespace];
  return `/history/${[...base, ...within, resource, name].map(encodeURIComponent).join('/')}`;
}

function absentWhereNotServed(error: unknown): undefined {
  if (error instanceof ApiError && error.status.code === 404) return undefined;
  throw error;
}
