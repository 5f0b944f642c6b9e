import { createClient, loadClientConfig, networkTransport, typed } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import type { LoadClient, LoadContext, LoadOptions } from './load.ts';

/** HTTP/2 connections have 250 streams; the rest is for requests. */
const WATCHES_PER_CONNECTION = 200;

/** Clients of the administrator on several replicas, which connect when they are used. */
export async function connectionsOf(
  files: readonly string[],
  { references, ownConnections }: LoadOptions,
): Promise<Pick<LoadContext, 'agentClient' | 'userClient' | 'random'>> {
  const env = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: createMetrics() };
  const names = namesFor('kubernetes');
  const settings = await Promise.all(
    files.map((file) => loadClientConfig({ env, names, files: [file], environment: {} })),
  );
  const clients = new Map<string, LoadClient>();
  const connect = (key: string, replica: number): LoadClient => {
    const found = clients.get(key);
    if (found !== undefined) return found;
    const setting = settings[replica];
    if (setting === undefined) throw new RangeError(`there is no replica ${replica}`);
    const transport = networkTransport(setting, env);
    const made = {
      transport,
      client: typed(createClient({ transport, env, names, userAgent: 'orch-scale/1' })),
    };
    clients.set(key, made);
    return made;
  };
  const perConnection = Math.floor(WATCHES_PER_CONNECTION / (1 + 2 * references));
  return {
    random: env.random,
    userClient: (i) => connect(`user ${i % files.length}`, i % files.length),
    agentClient(node) {
      const replica = node % files.length;
      const hasOwn = node % 100 < ownConnections;
      const shared = Math.floor(node / files.length / perConnection);
      return connect(hasOwn ? `node ${node}` : `${replica} ${shared}`, replica);
    },
  };
}
