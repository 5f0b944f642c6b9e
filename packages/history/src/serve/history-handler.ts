import { errors } from '@orch/machinery';
import { Semaphore, type Turns } from '@orch/machinery/concurrency';
import { formatTime } from '@orch/machinery/time';
import { type PastObjects, type StoredResource, subjectOf } from '@orch/registry';
import type { BytesReply, Handler, Reply, ResourceContext } from '@orch/request';
import type { Revision, Store } from '@orch/storage';
import { type ObjectState, ObjectStates } from '../read/object-states.ts';
import type { FoundChange } from '../read/recorded-change.ts';
import type { Exclusion, HistoryRecorder } from '../record/history-recorder.ts';
import { collectionChanges } from './collection-changes.ts';
import { type HistoryQuery, historyQuery, type Moment } from './history-query.ts';
import { encodeChanges, type ListedChange, listedChange } from './listed-change.ts';
import { StateReader } from './state-reader.ts';
import { type VisibilityOptions, visibleFrom } from './visible-from.ts';

export interface HistoryHandlerOptions extends VisibilityOptions {
  readonly store: Pick<Store, 'get' | 'scan'>;
  readonly recorder: HistoryRecorder;
  readonly past: PastObjects;
  readonly retentionMs: number;
  readonly now: () => number;
  readonly turns: Turns;
}

/** A request for the history of a resource. */
interface HistoryCall {
  readonly call: ResourceContext;
  readonly resource: StoredResource;
  readonly query: HistoryQuery;
  /** The common prefix of the keys of the changes of the resource. */
  readonly historyPrefix: string;
  /** Changes up to this revision are hidden. */
  readonly from: Revision;
}

/** A page ends after comparing states of this size: about a tenth of a second of work. */
const PAGE_BYTES = 4 * 1024 * 1024;

const exclusions: Readonly<Record<Exclusion, string>> = {
  expires: 'objects that expire are not recorded',
  lease: 'Leases are not recorded',
  credentials: 'objects with credentials are recorded only while they are encrypted at rest',
};

/**
 * Serves the paths below `/history` of objects and collections: their changes, and with `at` an object at that
 * position. Requests have been authorized as a `get` or `list` of the object or collection.
 */
export function historyHandler(options: HistoryHandlerOptions): Handler<ResourceContext> {
  const scans = new Semaphore(1);
  return async (call) => {
    const resource = await options.past.resourceOf(call);
    const query = historyQuery(call.request);
    const exclusion = options.recorder.exclusionOf(resource);
    if (exclusion !== undefined)
      throw errors.badRequest(`no history is kept of ${resource.type.resource}: ${exclusions[exclusion]}`);
    const historyPrefix = options.recorder.prefixOf(resource);
    const from = await visibleFrom(options, resource, call);
    const request: HistoryCall = { call, resource, query, historyPrefix, from };
    if (call.info.name === '') {
      if (query.at !== undefined) throw errors.badRequest('at requires the path of an object');
      return ofCollection(options, request, scans);
    }
    const states = await statesOf(options, request);
    return query.at === undefined
      ? changesOfObject(options, request, states)
      : stateAt(options, request, { states, at: query.at });
  };
}

const statesOf = (
  { store, past }: HistoryHandlerOptions,
  { call, resource, historyPrefix, from }: HistoryCall,
): Promise<ObjectStates> => {
  const object = past.keyOf(resource, call);
  const place = { storeKey: resource.keyPrefix + object, historyPrefix, object };
  return ObjectStates.read(store, place, { from, signal: call.request.signal });
};

async function ofCollection(
  options: HistoryHandlerOptions,
  request: HistoryCall,
  scans: Semaphore,
): Promise<Reply> {
  const { call, resource, query, historyPrefix, from } = request;
  const { signal } = call.request;
  const reader = new StateReader({ ...options, resource, signal, maxBytes: PAGE_BYTES });
  const scope = resource.type.namespaced && call.info.namespace !== '' ? `${call.info.namespace}/` : '';
  const matches = (change: FoundChange): boolean => change.revision > from && isWanted(query, change);
  const page = { historyPrefix, scope, matches, limit: query.limit, scans, signal };
  const { changes, oldest } = await collectionChanges(options.store, reader, page);
  return jsonReply(encodeChanges(changes, oldest === undefined ? '' : String(oldest)));
}

async function changesOfObject(
  { past, turns }: HistoryHandlerOptions,
  { call, resource, query }: HistoryCall,
  states: ObjectStates,
): Promise<Reply> {
  if (states.changes.length === 0 && states.live === undefined)
    throw errors.notFound(subjectOf(resource, call.info.name));
  const wanted = [...states.changes.keys()].filter((i) => isWanted(query, states.changes[i]));
  const page = wanted.slice(-query.limit).reverse();
  const { signal } = call.request;
  const reader = new StateReader({ past, turns, resource, signal, maxBytes: PAGE_BYTES });
  const changes: ListedChange[] = [];
  for (const index of page) {
    if (reader.isSpent) break;
    await turns.next();
    const change = await listedChange(reader, states, index);
    if (change !== undefined) changes.push(change);
  }
  const hasMore = wanted.length > changes.length;
  return jsonReply(encodeChanges(changes, hasMore ? (changes.at(-1)?.revision ?? '') : ''));
}

const isWanted = ({ since, before }: HistoryQuery, change: FoundChange | undefined): boolean =>
  change !== undefined && change.revision < before && (since === undefined || isAfter(change, since));

const isAfter = ({ revision, timeMs }: FoundChange, moment: Moment): boolean =>
  moment.kind === 'revision' ? revision > moment.revision : timeMs > moment.timeMs;

async function stateAt(
  { past, retentionMs, now }: HistoryHandlerOptions,
  { call, resource, from }: HistoryCall,
  { states, at }: { readonly states: ObjectStates; readonly at: Moment },
): Promise<Reply> {
  const beginMs = now() - retentionMs;
  if (at.kind === 'time' && at.timeMs < beginMs)
    throw errors.expired(`the history goes back to ${formatTime(beginMs)}`);
  if (at.kind === 'revision' && at.revision > states.current)
    throw errors.badRequest(
      `the resourceVersion ${at.revision} is in the future: the present one is ${states.current}`,
    );
  const state: ObjectState =
    at.kind === 'revision' ? await states.at(at.revision) : await states.atTime(at.timeMs);
  switch (state.kind) {
    case 'present': {
      if (state.rev <= from) throw notRecorded();
      const { rev, stored } = state;
      return past.reply(resource, { key: past.keyOf(resource, call), rev, stored }, call);
    }
    case 'absent':
      throw errors.notFound(subjectOf(resource, call.info.name));
    case 'unknown':
      if (state.cause !== undefined)
        throw errors.internal(
          new Error(state.cause),
          `the stored object ${call.info.name} of ${resource.type.resource} cannot be read: ${state.cause}`,
        );
      throw state.why === 'unrecorded' ? notRecorded() : errors.expired(unknownStates[state.why]);
  }
}

const unknownStates = {
  unreadable: 'the recorded state cannot be read',
  tooLarge: 'the state was too large to be recorded',
} as const;

const notRecorded = () =>
  errors.expired('the state of the object at that time was not recorded, or is no longer kept');

const jsonReply = (body: Buffer): BytesReply => ({
  kind: 'bytes',
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body,
});
