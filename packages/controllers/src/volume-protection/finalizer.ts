import type { ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { unless } from '../api/failures.ts';
import { decideFinalizer, withFinalizer } from './decide.ts';

export interface Protection {
  readonly finalizer: string;
  /** Whether an object that is being deleted is still used. */
  isUsed(live: ApiObject): boolean | Promise<boolean>;
}

/** Adds or removes a finalizer by what the object is now; the write fails when it changes in between. */
export async function changeFinalizer(
  api: ResourceClient,
  seen: ApiObject,
  { finalizer, isUsed }: Protection,
  signal: AbortSignal,
): Promise<void> {
  const live = await unless(['NotFound'], () => api.get(seen.metadata.name ?? '', {}, signal));
  if (live === undefined) return;
  const decision = decideFinalizer(live, finalizer);
  if (decision === 'keep' || (decision === 'removeWhenUnused' && (await isUsed(live)))) return;
  await api.update(withFinalizer(live, finalizer, decision === 'add'), {}, signal);
}
