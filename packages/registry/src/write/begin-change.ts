import { type ApiError, type ApiObject, parseJson } from '@orch/machinery';
import { withResourceVersion } from '@orch/schema';
import type { StoredResource } from '../resource/served-resource.ts';
import type { PendingWrite } from '../resource/write-hooks.ts';
import type { Admit } from './admission.ts';
import type { Act, Candidate, ChangeRequest } from './change.ts';
import { orRefusal } from './hooked-write.ts';

/** An admitted change whose write hooks have run. */
export interface Begun {
  /** Undefined when the object needs no change any more. */
  readonly act: Act | undefined;
  readonly pending?: PendingWrite | undefined;
}

/** Admits a change and runs its write hooks; the refusal as a value. */
export type Begin = (act: Act, from: Candidate) => Promise<Begun | ApiError>;

/** Undefined without admission and hooks: then the states need not be decoded for them. */
export function beginChangeOf(
  { hooks, storageCodec }: Pick<StoredResource, 'hooks' | 'storageCodec'>,
  { admittedAs, ...request }: Pick<ChangeRequest, 'admittedAs' | 'user' | 'dryRun' | 'signal'>,
  validate: Admit | undefined,
): Begin | undefined {
  if (hooks === undefined && validate === undefined) return undefined;
  const deletes = admittedAs !== 'nothing' && admittedAs.operation === 'DELETE';
  const begin = async (act: Act, { json, rev, needsMigration }: Candidate): Promise<Begun> => {
    const old = parseJson(json) as ApiObject;
    const sent = parseJson(act.kind === 'remove' ? act.hub : act.encoded.hub) as ApiObject;
    // An update that completes a deletion is an update to plugins.
    await validate?.({ object: deletes ? undefined : withVersionOf(old, sent), oldObject: old });
    if (hooks === undefined) return { act };
    const next = act.kind === 'remove' ? undefined : sent;
    const { user, dryRun, signal } = request;
    const pending = await hooks.begin({ next, old, user, dryRun, signal });
    if (next === undefined) return { act, pending };
    const encoded = storageCodec.encode(next);
    const same =
      pending === undefined && !needsMigration && withResourceVersion(encoded.hub, rev).equals(json);
    return { act: same ? undefined : { kind: 'write', encoded }, pending };
  };
  return (act, from) => orRefusal(begin(act, from));
}

/** The new state of an object, which is encoded without a version, with the version that it replaces. */
const withVersionOf = ({ metadata: { resourceVersion } }: ApiObject, next: ApiObject): ApiObject =>
  resourceVersion === undefined ? next : { ...next, metadata: { ...next.metadata, resourceVersion } };
