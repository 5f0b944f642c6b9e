import type { ApiError, ApiObject } from '@orch/machinery';
import { withResourceVersion } from '@orch/schema';
import type { Revision } from '@orch/storage';
import type { StoredResource } from '../resource/served-resource.ts';
import type { PendingWrite } from '../resource/write-hooks.ts';
import type { Reserve } from './admission.ts';
import type { Act, Candidate, ChangeRequest } from './change.ts';
import { begunAfter, orRefusal } from './hooked-write.ts';
import { nothing, once, parsedOnce, UnparsedStates } from './unparsed-states.ts';

/** An admitted change whose write hooks have run. */
export interface Begun {
  /** Undefined when the object needs no change any more. */
  readonly act: Act | undefined;
  readonly pending?: PendingWrite | undefined;
}

/** Admits a change and runs its write hooks; the refusal as a value. */
export type Begin = (act: Act, from: Candidate) => Promise<Begun | ApiError>;

/** Undefined without admission and hooks. */
export function beginChangeOf(
  { hooks, storageCodec }: Pick<StoredResource, 'hooks' | 'storageCodec'>,
  { admittedAs, ...request }: Pick<ChangeRequest, 'admittedAs' | 'user' | 'dryRun' | 'signal'>,
  validate: Reserve | undefined,
): Begin | undefined {
  if (hooks === undefined && validate === undefined) return undefined;
  const deletes = admittedAs !== 'nothing' && admittedAs.operation === 'DELETE';
  const begin = async (act: Act, { json, rev, needsMigration, isPlaceholder }: Candidate): Promise<Begun> => {
    const old = parsedOnce(json);
    const sent = parsedOnce(act.kind === 'remove' ? act.hub : act.encoded.hub);
    // An update that completes a deletion is an update to plugins.
    const object = deletes ? nothing : once(() => withVersion(sent(), rev));
    const taken = await validate?.(new UnparsedStates({ object, oldObject: old }));
    // Hooks depend on the content, which cannot be read. What they hold is released by the repairs of their kinds.
    if (hooks === undefined || isPlaceholder === true) return { act, pending: taken };
    const next = act.kind === 'remove' ? undefined : sent();
    const { user, dryRun, signal } = request;
    let begun: PendingWrite | undefined;
    const pending = await begunAfter(taken, async () => {
      begun = await hooks.begin({ next, old: old(), user, dryRun, signal });
      return begun;
    });
    if (next === undefined || hooks.onlyRefuses === true) return { act, pending };
    const encoded = storageCodec.encode(next);
    const same = begun === undefined && !needsMigration && withResourceVersion(encoded.hub, rev).equals(json);
    if (!same) return { act: { kind: 'write', encoded }, pending };
    await taken?.finish(false);
    return { act: undefined };
  };
  return (act, from) => orRefusal(begin(act, from));
}

/** The new state of an object, which is encoded without a version, with the version that it replaces. */
const withVersion = (next: ApiObject, rev: Revision): ApiObject => ({
  ...next,
  metadata: { ...next.metadata, resourceVersion: String(rev) },
});
