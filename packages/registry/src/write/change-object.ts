import { ApiError, type ApiObject, errors } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery/concurrency';
import { parseJson } from '@orch/machinery/json';
import type { Revision } from '@orch/storage';
import type { WritePath } from '../context/paths.ts';
import { type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { namespacedNameOf } from './admission.ts';
import { Candidates } from './candidate.ts';
import type { Act, Candidate, Change, Changed, ChangeRequest, Current, Decision } from './change.ts';
import { changedStates, type DraftStates, deletingStates, unchangedStates } from './unparsed-states.ts';
import { type ReadyWrite, servedJson, WriteSteps } from './write-steps.ts';

/** Maximum attempts on an object that other clients change meanwhile. */
const MAX_ATTEMPTS = 16;

/**
 * Changes an object: decides on its state and writes the result if that state is still the current one, else decides
 * again on the newer state. Starts from the cache, which may be stale: a refusal, and a decision to keep the object
 * unchanged, are therefore final only for the state in the store. A dry run, which no commit confirms, starts from the store.
 * Undefined when the object does not exist.
 */
export async function changeObject(
  path: WritePath,
  resource: StoredResource,
  request: ChangeRequest,
): Promise<Changed | undefined> {
  const { key, name, user, dryRun, signal, trace, requestOptions: options } = request;
  const writing = { ...namespacedNameOf(key), user, dryRun, signal, trace, options };
  const steps = new WriteSteps(path, resource, request.admittedAs, writing);
  // To wait for a value that is there costs more than most of the steps.
  const checked = steps.precheck();
  if (checked instanceof Promise) await checked;
  const candidates = new Candidates(path, resource, request);
  const first = candidates.first();
  let from = first instanceof Promise ? await first : first;
  for (let attempt = 0; from !== undefined && attempt < MAX_ATTEMPTS; attempt++) {
    const { rev, json }: Candidate = from;
    steps.size = Math.max(request.size ?? 0, json.length);
    if (steps.isLarge) await steps.turn();
    const decidedOn = from;
    const decision = orRefusal(() => decide(steps, request, decidedOn));
    const decided = decision instanceof Promise ? await decision : decision;
    if (!from.fromStore && (decided instanceof ApiError || decided.kind === 'keep')) {
      from = await candidates.confirmed();
      if (from?.rev !== rev) continue;
    }
    if (decided instanceof ApiError) throw decided;
    const act = actOf(decided, from);
    if (act === undefined) {
      await admitUnchanged(steps, request, from);
      return kept(from);
    }
    const state = from;
    const states = (): DraftStates => changedStates(act, state, isDeletion(request));
    const prepared = orRefusal(() => steps.ready(state, act, states));
    const ready = prepared instanceof Promise ? await prepared : prepared;
    if (ready instanceof ApiError) {
      if (from.fromStore) throw ready;
      from = await candidates.confirmed();
      if (from?.rev === rev) throw ready;
      continue;
    }
    if (!ready.isNeeded) return kept(from);
    // The result of a dry run is the object as it would be stored, with its current resourceVersion.
    if (dryRun) return doneWith(ready, rev);
    const committed = await steps.commit(ready, { key, name });
    if (committed.ok) return doneWith(ready, committed.rev);
    from = await candidates.read(committed.current);
  }
  if (from === undefined) return undefined;
  throw errors.conflict(
    subjectOf(resource, name),
    'the object is being modified too often; please try again',
  );
}

/** Decides on a state of the object, with the changes of admission. Throws the refusal, or rejects with it. */
function decide(steps: WriteSteps, request: ChangeRequest, from: Candidate): Change | Promise<Change> {
  let current: Current | undefined;
  const decideOn = (object: unknown): Decision | Promise<Decision> => {
    current = currentOf(from, object as ApiObject, steps);
    return request.decide(current);
  };
  const decision = steps.hub(() => {
    const object = steps.isLarge ? steps.parsed(from.json) : parseJson(from.json);
    return whenFulfilled(object, decideOn);
  });
  return whenFulfilled(decision, (made) => afterAdmission(steps, made, { from, old: current?.object }));
}

/** The change that a decision is after the changes of admission. */
function afterAdmission(
  steps: WriteSteps,
  decision: Decision,
  { from, old }: { readonly from: Candidate; readonly old: ApiObject | undefined },
): Change | Promise<Change> {
  if (decision.kind !== 'propose') {
    const admitted = steps.mutateNothing(from.json);
    return admitted === undefined ? decision : admitted.then(() => decision);
  }
  return whenFulfilled(steps.mutate(decision.next, old), (next) =>
    steps.valid(() => decision.complete(next)),
  );
}

const currentOf = (
  { rev, json, isPlaceholder = false }: Candidate,
  object: ApiObject,
  { mutates, isLarge }: WriteSteps,
): Current => ({
  rev,
  json,
  object,
  mutates,
  isPlaceholder,
  isLarge,
});

/** A refusal as a value: the caller decides whether it is final. */
function orRefusal<T>(work: () => T | Promise<T>): T | ApiError | Promise<T | ApiError> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(refusalIn) : result;
  } catch (error) {
    return refusalIn(error);
  }
}

function refusalIn(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** The write that a decision requires; undefined when the stored bytes remain. */
function actOf(decided: Change, { needsMigration }: Candidate): Act | undefined {
  if (decided.kind !== 'keep') return decided;
  return needsMigration && decided.encoded !== undefined
    ? { kind: 'write', encoded: decided.encoded }
    : undefined;
}

/** Plugins also decide on a request that does not change the object. */
async function admitUnchanged(steps: WriteSteps, request: ChangeRequest, { json }: Candidate): Promise<void> {
  const taken = await steps.admit(isDeletion(request) ? deletingStates(json) : unchangedStates(json));
  await taken?.finish(false);
}

const isDeletion = ({ admittedAs }: ChangeRequest): boolean =>
  admittedAs !== 'nothing' && admittedAs.operation === 'DELETE';

const kept = ({ rev, json }: Candidate): Changed => ({ outcome: 'kept', rev, json });

const doneWith = (ready: ReadyWrite, rev: Revision): Changed => ({
  outcome: ready.act.kind === 'write' ? 'written' : 'removed',
  rev,
  json: servedJson(ready, rev),
});
