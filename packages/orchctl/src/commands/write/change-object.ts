import { type ResourceClient, retryOnConflict, type WriteOptions } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import type { DryRun } from '../../cli/write-flags.ts';
import type { Io } from '../../io.ts';
import { mergeDifference } from './merge-difference.ts';

/** A change of an object on the server. */
export interface ObjectChange<T extends ApiObject> {
  readonly client: ResourceClient<T>;
  readonly name: string;
  readonly flags: { readonly dryRun: DryRun; readonly fieldManager?: string };
  readonly io: Pick<Io, 'env'>;
  readonly signal: AbortSignal;
  /** Computes the object as it should be. Called again after a concurrent write. Errors that it throws end the change. */
  change(object: T): T | Promise<T>;
}

/** The object after a change, and whether the change was one. */
export interface ChangedObject<T> {
  readonly object: T;
  readonly isChanged: boolean;
}

/**
 * Reads an object, changes it and writes the difference, on the condition that it was not changed in between; it is then read
 * again. An object that is already as it should be is not written.
 */
export function changeObject<T extends ApiObject>({
  client,
  name,
  flags: { dryRun, fieldManager },
  io,
  signal,
  change,
}: ObjectChange<T>): Promise<ChangedObject<T>> {
  const options: WriteOptions = {
    dryRun: dryRun === 'server',
    ...(fieldManager !== undefined && { fieldManager }),
  };
  return retryOnConflict(
    io.env,
    async () => {
      const before = await client.get(name, {}, signal);
      const after = await change(before);
      const patch = mergeDifference(before, after);
      if (patch === undefined) return { object: before, isChanged: false };
      if (dryRun === 'client') return { object: after, isChanged: true };
      const { resourceVersion } = before.metadata;
      const metadata = { ...(patch['metadata'] as object | undefined), resourceVersion };
      return {
        object: await client.patch.merge(name, { ...patch, metadata }, options, signal),
        isChanged: true,
      };
    },
    signal,
  );
}
