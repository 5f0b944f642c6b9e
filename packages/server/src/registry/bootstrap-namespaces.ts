import { ApiError } from '@orch/machinery';
import { createObject } from './create.ts';
import type { RegistryContext } from './registry-context.ts';
import { objectKey } from './store-keys.ts';

/**
 * Creates the namespaces that every cluster has, where they are missing (facts: bootstrap objects). Safe to run on many
 * replicas at once, and before the cache is loaded.
 */
export async function createBootstrapNamespaces(
  context: RegistryContext,
  signal: AbortSignal,
): Promise<void> {
  const found = context.table.find('', 'v1', 'namespaces');
  if (found === undefined) throw new TypeError('the API has no namespaces');
  const namespaces = context.stored(found);
  for (const name of Object.values(context.names.namespaces)) {
    const { kv } = await context.store.get(namespaces.keyPrefix + objectKey(false, '', name), signal);
    if (kv !== undefined) continue;
    const { value: object } = found.codec.decode(
      { kind: 'Namespace', apiVersion: 'v1', metadata: { name } },
      { defaults: true },
    );
    await createObject(context, namespaces, object, { namespace: '', dryRun: false, signal }).catch(
      (cause) => {
        // Another replica was faster.
        if (!(cause instanceof ApiError && cause.status.reason === 'AlreadyExists')) throw cause;
      },
    );
  }
}
