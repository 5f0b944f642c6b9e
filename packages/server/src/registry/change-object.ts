import { ApiError, type ApiObject, errors, parseJson } from '@orch/machinery';
import { withResourceVersion } from '@orch/schema';
import type { KeyValue, Revision } from '@orch/storage';
import type { RegistryContext } from './registry-context.ts';
import { type StoredResource, subjectOf } from './served-resource.ts';

/** The state of an object that a change starts from. */
export interface Current {
  readonly rev: Revision;
  /** JSON in the stored version, resourceVersion included. */
  readonly json: Buffer;
  /** Read for this attempt alone: may be changed. `metadata.resourceVersion` is there. */
  readonly object: ApiObject;
}

/** What is to become of an object. `value` is the JSON to store, without resourceVersion. */
export type Change =
  | { readonly kind: 'write'; readonly value: Buffer }
  | { readonly kind: 'remove'; readonly value: Buffer }
  | { readonly kind: 'keep' };

/** What became of it. `json` is in the stored version, resourceVersion included. */
export interface Changed {
  readonly outcome: 'written' | 'removed' | 'kept';
  readonly rev: Revision;
  readonly json: Buffer;
}

export interface ChangeRequest {
  /** Below the prefix of the resource. */
  readonly key: string;
  readonly name: string;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** Decides, from one state, what is to become of the object. Throws `ApiError`; may be called again. */
  decide(current: Current): Change;
}

/** How often a change is tried on a state that others keep changing. */
const MAX_ATTEMPTS = 16;

interface Candidate {
  readonly rev: Revision;
  readonly json: Buffer;
  /** As the store has it, not only the cache. */
  readonly certain: boolean;
}

/**
 * Changes an object: decides on its state and writes the result if that state is still the current one, else decides
 * again on what came in between. Starts from the cache, which may be behind: a refusal, and a decision to keep things as
 * they are, therefore count only for the state that the store has. Undefined when there is no such object.
 */
export async function changeObject(
  context: RegistryContext,
  resource: StoredResource,
  request: ChangeRequest,
): Promise<Changed | undefined> {
  let candidate = cached(resource, request.key) ?? (await certain(context, resource, request));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (candidate === undefined) return undefined;
    const decided = decide(request, candidate);
    if (!candidate.certain && (decided instanceof ApiError || decided.kind === 'keep')) {
      const actual: Candidate | undefined = await certain(context, resource, request);
      if (actual?.rev !== candidate.rev) {
        candidate = actual;
        continue;
      }
    }
    if (decided instanceof ApiError) throw decided;
    if (decided.kind === 'keep') return { outcome: 'kept', rev: candidate.rev, json: candidate.json };
    const done = request.dryRun
      ? rehearsed(decided, candidate)
      : await commit(context, resource, request, decided, candidate);
    if ('outcome' in done) return done;
    candidate = done.current;
  }
  throw errors.conflict(
    subjectOf(resource, request.name),
    'the object is being modified too often; please try again',
  );
}

function cached(resource: StoredResource, key: string): Candidate | undefined {
  const object = resource.cache.get(key);
  return object === undefined || object.corrupt
    ? undefined
    : { rev: object.rev, json: object.json(), certain: false };
}

async function certain(
  context: RegistryContext,
  resource: StoredResource,
  request: ChangeRequest,
): Promise<Candidate | undefined> {
  const { kv } = await context.store.get(resource.keyPrefix + request.key, request.signal);
  return candidateOf(kv);
}

const candidateOf = (kv: KeyValue | undefined): Candidate | undefined =>
  kv === undefined
    ? undefined
    : { rev: kv.modRevision, json: withResourceVersion(kv.value, kv.modRevision), certain: true };

function decide(request: ChangeRequest, { rev, json }: Candidate): Change | ApiError {
  try {
    return request.decide({ rev, json, object: parseJson(json) as ApiObject });
  } catch (cause) {
    if (cause instanceof ApiError) return cause;
    throw cause;
  }
}

type Done = Changed | { readonly current: Candidate | undefined };
type Decided = Exclude<Change, { readonly kind: 'keep' }>;

/** What a dry run answers: the object as it would be, with the version that it has. */
const rehearsed = (decided: Decided, { rev }: Candidate): Changed => ({
  outcome: decided.kind === 'write' ? 'written' : 'removed',
  rev,
  json: withResourceVersion(decided.value, rev),
});

async function commit(
  context: RegistryContext,
  resource: StoredResource,
  request: ChangeRequest,
  decided: Decided,
  { rev }: Candidate,
): Promise<Done> {
  const key = resource.keyPrefix + request.key;
  const { ttlSeconds } = resource.type.strategy;
  const committed = await context.store.commit(
    decided.kind === 'remove'
      ? { op: 'delete', key, expected: rev }
      : {
          op: 'update',
          key,
          expected: rev,
          value: decided.value,
          ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
        },
    request.signal,
  );
  if (!committed.ok) return { current: candidateOf(committed.current) };
  return {
    outcome: decided.kind === 'write' ? 'written' : 'removed',
    rev: committed.rev,
    json: withResourceVersion(decided.value, committed.rev),
  };
}
