import { objectPath } from '@orch/client';
import type { Names } from '@orch/machinery';
import { asNumber, asObject, asObjects, asText, specOf } from '@orch/machinery/json';
import type { Connection } from '../api/connection.ts';
import type { Kinds } from '../api/discovery.ts';

/** A lease by which one of several candidates is the leader. */
export interface Leader {
  readonly namespace: string;
  readonly name: string;
  readonly holder: string;
  /** The time in epoch milliseconds; 0 when it is unknown. */
  readonly renewedMs: number;
}

export interface Leadership {
  /** Addresses of the replicas that serve. */
  readonly replicas: readonly string[];
  readonly leaders: readonly Leader[];
}

interface Reader {
  readonly connection: Connection;
  readonly kinds: Kinds;
  readonly names: Names;
}

/** The replicas of the API server, and the leaders of other programs. */
export async function readLeadership(
  { connection, kinds, names }: Reader,
  signal: AbortSignal,
): Promise<Leadership> {
  const find = (group: string, word: string) =>
    kinds.resources.find((each) => each.group === group && each.resource === word);
  const endpoints = find('', 'endpoints');
  const leases = find(names.group('coordination'), 'leases');
  const replicas =
    endpoints === undefined
      ? {}
      : await connection.json({ target: objectPath(endpoints, 'default', names.defaultService) }, signal);
  const base = leases === undefined ? undefined : `/apis/${leases.group}/${leases.version}/leases?limit=500`;
  const list = base === undefined ? {} : await connection.json({ target: base }, signal);
  return {
    replicas: asObjects(asObject(replicas)['subsets']).flatMap((subset) =>
      asObjects(subset['addresses']).flatMap(({ ip }) =>
        asObjects(subset['ports']).map(({ port }) => `${asText(ip)} port ${asNumber(port)}`),
      ),
    ),
    // The leases of nodes have no transitions: nobody competes for them.
    leaders: asObjects(asObject(list)['items'])
      .filter((lease) => specOf(lease)['leaseTransitions'] !== undefined)
      .map((lease) => ({
        namespace: asText(asObject(lease['metadata'])['namespace']),
        name: asText(asObject(lease['metadata'])['name']),
        holder: asText(specOf(lease)['holderIdentity']),
        renewedMs: Date.parse(asText(specOf(lease)['renewTime'])) || 0,
      })),
  };
}
