import { type Naming, namingOf } from '@orch/machinery';
import { asObject, asObjects, asText } from '@orch/machinery/json';
import type { Client } from '../client.ts';

/**
 * The naming of a server, by the API groups that it serves; that of the project when no group tells. Rejects with the failure of
 * its request.
 */
export async function namingOfServer(client: Pick<Client, 'raw'>, signal?: AbortSignal): Promise<Naming> {
  const groups = await client.raw(
    { method: 'GET', target: '/apis', headers: { accept: 'application/json' } },
    signal,
  );
  for (const group of asObjects(asObject(groups)['groups'])) {
    const naming = namingOf(asText(group['name']));
    if (naming !== undefined) return naming;
  }
  return 'orch';
}
