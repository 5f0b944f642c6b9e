import { type ApiError, type ApiObject, parseJson } from '@orch/machinery';
import { withResourceVersion } from '@orch/schema';
import type { StoredResource } from '../resource/served-resource.ts';
import type { PendingWrite } from '../resource/write-hooks.ts';
import type { Admit } from './admission.ts';
import type { Act, Candidate, ChangeRequest } from './change-object.ts';
import { orRefusal } from './hooked-write.ts';

/** A change that was admitted, and for which the kind's hooks have done their part. */
export interface Begun {
  /** Undefined when nothing is left to change. */
  readonly act: Act | undefined;
  readonly pending?: PendingWrite | undefined;
}

/** Takes a change to the point where it is committed, or refuses it. */
export type Begin = (act: Act, from: Candidate) => Promise<Begun | ApiError>;

/** Undefined where nobody has to be asked, so that nothing has to be read for them. */
export function beginner(
  { hooks, stored }: Pick<StoredResource, 'hooks' | 'stored'>,
  { admittedAs, ...request }: Pick<ChangeRequest, 'admittedAs' | 'user' | 'dryRun' | 'signal'>,
  admit: Admit | undefined,
): Begin | undefined {
  if (hooks === undefined && admit === undefined) return undefined;
  const deletes = admittedAs !== 'nothing' && admittedAs.operation === 'DELETE';
  const begin = async (act: Act, { json, rev, outdated }: Candidate): Promise<Begun> => {
    const old = parseJson(json) as ApiObject;
    const next = act.kind === 'remove' ? undefined : (parseJson(act.encoded.hub) as ApiObject);
    await admit?.({ object: deletes ? undefined : next, oldObject: old });
    if (hooks === undefined) return { act };
    const { user, dryRun, signal } = request;
    const pending = await hooks.begin({ next, old, user, dryRun, signal });
    if (next === undefined) return { act, pending };
    const encoded = stored.encode(next);
    const same = pending === undefined && !outdated && withResourceVersion(encoded.hub, rev).equals(json);
    return { act: same ? undefined : { kind: 'write', encoded }, pending };
  };
  return (act, from) => orRefusal(begin(act, from));
}
