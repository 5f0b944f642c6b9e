import { createClient, loadClientConfig, networkTransport, type TypedClient, typed } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import type { LoadContext } from './load.ts';

/** Agents that share a connection: each has a watch, and HTTP/2 connections have 250 streams. */
const AGENTS_PER_CONNECTION = 100;

/** Clients of the administrator, over as many connections as the agents need. */
export async function connectionsOf(
  file: string,
  nodes: number,
): Promise<Pick<LoadContext, 'clientOf' | 'random'>> {
  const env = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: createMetrics() };
  const connection = await loadClientConfig({
    env,
    names: namesFor('kubernetes'),
    files: [file],
    environment: {},
  });
  const clients: TypedClient[] = [];
  for (let agents = 0; agents <= nodes + 1; agents += AGENTS_PER_CONNECTION) {
    const transport = networkTransport(connection, env);
    const names = namesFor('kubernetes');
    clients.push(typed(createClient({ transport, env, names, userAgent: 'orch-scale/1' })));
  }
  const [first] = clients;
  if (first === undefined) throw new TypeError('there is no client');
  return { random: env.random, clientOf: (i) => clients[Math.floor(i / AGENTS_PER_CONNECTION)] ?? first };
}
