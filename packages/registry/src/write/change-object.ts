import type { CachedObject } from '@orch/cache';
import { ApiError, type ApiObject, errors, messageOf, parseJson, whenFulfilled } from '@orch/machinery';
import { withResourceVersion } from '@orch/schema';
import { isOutdated as hasOutdatedValue, type KeyValue, type Revision, readable } from '@orch/storage';
import { commitObject } from '../commit/object-committer.ts';
import { ConversionNeeded, whenConverted } from '../convert/conversion-needed.ts';
import { IGNORES_READ_ERRORS } from '../request/unsafe-deletion.ts';
import { cachedObject } from '../resource/cached-object.ts';
import type { WritePath } from '../resource/paths.ts';
import { type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { UnreadableObjectError } from '../resource/unreadable-object-error.ts';
import type { PendingWrite } from '../resource/write-hooks.ts';
import {
  type Admit,
  admissionOf,
  namespacedNameOf,
  type Reserve,
  type SubresourceView,
  throughView,
} from './admission.ts';
import { beginChangeOf } from './begin-change.ts';
import type { Act, Candidate, Change, Changed, ChangeRequest, Current, Decision } from './change.ts';
import { orRefusal } from './hooked-write.ts';
import { mutateObject, mutateView } from './mutate-object.ts';
import { deletingStates, unchangedStates } from './unparsed-states.ts';

/** Attempts on an object that other clients change meanwhile. */
const MAX_ATTEMPTS = 16;

/**
 * Changes an object: decides on its state and writes the result if that state is still the current one, else decides
 * again on the newer state. Starts from the cache, which may be stale: a refusal, and a decision to keep the object
 * unchanged, are therefore final only for the state in the store. Undefined when the object does not exist.
 */
export async function changeObject(
  path: WritePath,
  resource: StoredResource,
  request: ChangeRequest,
): Promise<Changed | undefined> {
  const admission = admissionOf(path, resource, request.admittedAs, {
    ...namespacedNameOf(request.key),
    user: request.user,
    dryRun: request.dryRun,
    signal: request.signal,
    trace: request.trace,
    options: request.requestOptions,
  });
  const prechecking = admission?.precheck();
  if (prechecking !== undefined) await prechecking;
  const view = viewIn(request);
  const validate =
    admission?.validate === undefined || view === undefined
      ? admission?.validate
      : throughView(admission.validate, view);
  const begin = beginChangeOf(resource, request, validate);
  let candidate = cachedCandidate(resource, request.key) ?? (await readCandidate(path, resource, request));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (candidate === undefined) return undefined;
    const from: Candidate = candidate;
    const deciding =
      admission?.mutate === undefined
        ? whenConverted(resource, () => decide(request, from), request.signal)
        : decideMutated(resource, request, { from, mutate: admission.mutate });
    const decided = deciding instanceof Promise ? await deciding : deciding;
    if (!candidate.fromStore && (decided instanceof ApiError || decided.kind === 'keep')) {
      const { rev }: Candidate = candidate;
      candidate = await readCandidate(path, resource, request);
      if (candidate?.rev !== rev) continue;
    }
    if (decided instanceof ApiError) throw decided;
    const act = actOf(decided, candidate);
    if (act === undefined) {
      await admitUnchanged(candidate, request, validate);
      return kept(candidate);
    }
    const begun = begin === undefined ? { act } : await begin(act, candidate);
    if (begun instanceof ApiError) {
      if (candidate.fromStore) throw begun;
      const { rev }: Candidate = candidate;
      candidate = await readCandidate(path, resource, request);
      if (candidate?.rev === rev) throw begun;
      continue;
    }
    if (begun.act === undefined) return kept(candidate);
    const done = request.dryRun
      ? dryRunOf(begun.act, candidate)
      : await commit(path, resource, { request, act: begun.act, pending: begun.pending, current: candidate });
    if ('outcome' in done) return done;
    candidate = done.current;
  }
  throw errors.conflict(
    subjectOf(resource, request.name),
    'the object is being modified too often; please try again',
  );
}

const viewIn = ({ admittedAs }: ChangeRequest): SubresourceView | undefined =>
  admittedAs === 'nothing' ? undefined : admittedAs.view;

function cachedCandidate(resource: StoredResource, key: string): Candidate | undefined {
  const object = cachedObject(resource, key);
  return object === undefined || object.corrupt || isOutdated(resource, object)
    ? undefined
    : { rev: object.rev, json: object.json(), fromStore: false, needsMigration: false };
}

/** Stored in another version, and not converted in the cache: the state in the store is read and converted. */
const isOutdated = ({ type, storageCodec }: StoredResource, object: CachedObject): boolean =>
  type.objectConverter?.hasOutdated === true && !storageCodec.isCurrent(object.json());

async function readCandidate(
  path: WritePath,
  resource: StoredResource,
  request: ChangeRequest,
): Promise<Candidate | undefined> {
  const { kv } = await path.store.get(resource.keyPrefix + request.key, request.signal);
  return readCandidateOf(resource, kv, request);
}

/** As `candidateOf`, with conversions; one that fails makes an object unreadable. */
async function readCandidateOf(
  resource: StoredResource,
  kv: KeyValue | undefined,
  request: ChangeRequest,
): Promise<Candidate | undefined> {
  try {
    return await whenConverted(resource, () => candidateOf(resource, kv, request), request.signal);
  } catch (cause) {
    if (kv === undefined || request.evenUnreadable !== true || !(cause instanceof ApiError)) throw cause;
    return placeholderOf(resource, kv, request);
  }
}

function candidateOf(
  resource: StoredResource,
  kv: KeyValue | undefined,
  request: ChangeRequest,
): Candidate | undefined {
  if (kv === undefined) return undefined;
  const { modRevision: rev } = kv;
  const read = readStored(resource, kv, request);
  if (read === undefined) return placeholderOf(resource, kv, request);
  const needsMigration = hasOutdatedValue(kv) || !resource.storageCodec.isCurrent(readable(kv).value);
  return { rev, json: withResourceVersion(read, rev), fromStore: true, needsMigration };
}

/** What stands for an object that cannot be read, with its name. */
function placeholderOf(
  { storageCodec }: StoredResource,
  { modRevision: rev }: KeyValue,
  { key }: ChangeRequest,
): Candidate {
  const json = withResourceVersion(storageCodec.placeholder(key), rev);
  return { rev, json, fromStore: true, needsMigration: false, isPlaceholder: true };
}

/** Undefined for an object that cannot be read and is removed nevertheless. */
function readStored(
  { storageCodec, type }: StoredResource,
  kv: KeyValue,
  request: ChangeRequest,
): Buffer | undefined {
  try {
    return storageCodec.read(readable(kv).value).json;
  } catch (cause) {
    const isConversion = cause instanceof ConversionNeeded || cause instanceof ApiError;
    if (type.objectConverter !== undefined && isConversion) throw cause;
    if (request.evenUnreadable === true) return undefined;
    throw unreadableStored(request, cause);
  }
}

/** Its finalizers and dependents are unknown, and it may be readable again, or by another server. */
const unreadableStored = ({ name }: ChangeRequest, cause: unknown): ApiError =>
  new UnreadableObjectError(
    `the stored object ${name} cannot be read: ${messageOf(cause)}; deleting it nevertheless requires the option ${IGNORES_READ_ERRORS}`,
    cause,
  );

/** Decides on a state of the object; a refusal is returned. */
const decide = (request: ChangeRequest, from: Candidate): Decided =>
  settledOr(() => whenFulfilled(request.decide(currentOf(from, false)), completed));

const completed = (decision: Decision): Change | Promise<Change> =>
  decision.kind === 'propose' ? decision.complete(decision.next) : decision;

const currentOf = ({ rev, json, isPlaceholder = false }: Candidate, mutates: boolean): Current => ({
  rev,
  json,
  object: parseJson(json) as ApiObject,
  mutates,
  isPlaceholder,
});

/** As `decide`, when admission may change the proposed object before it is completed. */
async function decideMutated(
  resource: StoredResource,
  request: ChangeRequest,
  { from, mutate }: { readonly from: Candidate; readonly mutate: Admit },
): Promise<Change | ApiError> {
  const { signal } = request;
  const propose = (): Proposed | Promise<Proposed> => {
    const current = currentOf(from, true);
    const deciding = settledOr(() => request.decide(current));
    return whenFulfilled(deciding, (decision) => ({ current, decision }));
  };
  const proposing = whenConverted(resource, propose, signal);
  const { current, decision } = proposing instanceof Promise ? await proposing : proposing;
  if (decision instanceof ApiError) return decision;
  if (decision.kind !== 'propose') {
    return (await orRefusal(mutate(deletingStates(from.json)))) ?? decision;
  }
  const { next: object } = decision;
  const states = { object, oldObject: current.object };
  const view = viewIn(request);
  const next = await orRefusal(
    view === undefined ? mutateObject(resource, states, mutate) : mutateView(view, states, mutate),
  );
  if (next instanceof ApiError) return next;
  return whenConverted(resource, () => settledOr(() => decision.complete(next)), signal);
}

/** A decision on a state of an object, before admission may change what it proposes. */
interface Proposed {
  readonly current: Current;
  readonly decision: Decision | ApiError;
}

/** A completed decision, or its refusal; a promise where validation takes long. */
type Decided = Change | ApiError | Promise<Change | ApiError>;

function settledOr<T>(work: () => T | Promise<T>): T | ApiError | Promise<T | ApiError> {
  const settled = refusalOr(work);
  return settled instanceof Promise ? orRefusal(settled) : settled;
}

function refusalOr<T>(work: () => T): T | ApiError {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof ApiError) return cause;
    throw cause;
  }
}

/** Plugins also decide on a request that leaves the object as it is. */
async function admitUnchanged(
  { json }: Candidate,
  { admittedAs }: ChangeRequest,
  validate: Reserve | undefined,
): Promise<void> {
  if (validate === undefined || admittedAs === 'nothing') return;
  const taken = await validate(
    admittedAs.operation === 'DELETE' ? deletingStates(json) : unchangedStates(json),
  );
  await taken?.finish(false);
}

type Done = Changed | { readonly current: Candidate | undefined };

/** The write that a decision requires; undefined when the stored bytes remain. */
function actOf(decided: Change, { needsMigration }: Candidate): Act | undefined {
  if (decided.kind !== 'keep') return decided;
  return needsMigration && decided.encoded !== undefined
    ? { kind: 'write', encoded: decided.encoded }
    : undefined;
}

const kept = ({ rev, json }: Candidate): Changed => ({ outcome: 'kept', rev, json });

const doneWith = (act: Act, rev: Revision): Changed =>
  act.kind === 'write'
    ? { outcome: 'written', rev, json: withResourceVersion(act.encoded.hub, rev) }
    : { outcome: 'removed', rev, json: withResourceVersion(act.hub, rev) };

/** The result of a dry run: the object as it would be stored, with its current resourceVersion. */
const dryRunOf = (act: Act, { rev }: Candidate): Changed => doneWith(act, rev);

/** A decided change of one state of an object. */
interface Attempt {
  readonly request: ChangeRequest;
  readonly act: Act;
  readonly pending: PendingWrite | undefined;
  readonly current: Candidate;
}

async function commit(
  path: WritePath,
  resource: StoredResource,
  { request, act, pending, current }: Attempt,
): Promise<Done> {
  const { key, name, user, signal, trace } = request;
  const committed = await commitObject(path.committer, {
    resource,
    key,
    name,
    expected: current.rev,
    old: current,
    next: act.kind === 'remove' ? undefined : act.encoded,
    user,
    signal,
    trace,
    pending,
  });
  return committed.ok
    ? doneWith(act, committed.rev)
    : { current: await readCandidateOf(resource, committed.current, request) };
}
