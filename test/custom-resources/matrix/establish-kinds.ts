import type { Names } from '@orch/machinery';
import type { ApiClient } from '@orch/testkit';
import { establish } from '../widgets.ts';
import { NAMESPACE, ok } from './tested.ts';
import { testedKinds } from './tested-kinds.ts';

/** Creates the definitions of all tested kinds, and the namespace of their objects. */
export async function establishKinds(client: ApiClient, names: Names): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  ok(await client.post('/api/v1/namespaces', body), 201);
  for (const { definition } of testedKinds(names))
    if (definition !== undefined) ok(await establish(client, definition), 201);
}
