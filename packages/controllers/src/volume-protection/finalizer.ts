import type { ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { withFinalizer } from '../api/finalizers.ts';
import { ignoreReasons } from '../api/writes.ts';
import { decideFinalizer } from './decide.ts';

export interface Protection<T extends ApiObject> {
  readonly api: ResourceClient<T>;
  readonly finalizer: string;
  /** Reports whether an object that is being deleted is still in use. */
  isUsed(live: T): boolean | Promise<boolean>;
}

/** Adds or removes a finalizer by the live state of the object; rejects with a conflict when that changes meanwhile. */
export async function changeFinalizer<T extends ApiObject>(
  name: string,
  { api, finalizer, isUsed }: Protection<T>,
  signal: AbortSignal,
): Promise<void> {
  const live = await ignoreReasons(['NotFound'], () => api.get(name, {}, signal));
  if (live === undefined) return;
  const decision = decideFinalizer(live, finalizer);
  if (decision === 'keep' || (decision === 'removeWhenUnused' && (await isUsed(live)))) return;
  await api.update(withFinalizer(live, finalizer, decision === 'add'), {}, signal);
}
