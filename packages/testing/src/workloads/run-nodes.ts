import {
  builtinResources,
  createClient,
  informerFactory,
  type LoadedConfig,
  runControllers,
} from '@orch/client';
import { type PodRules, simulatedNodes, simulationControllers } from '@orch/controllers/simulated-nodes';
import { createAll } from '../seed.ts';
import type { PlaneEnv, RunningPart } from '../server.ts';

/** By which the history of a test tells these writes from those of others. */
const USER_AGENT = 'simulated-nodes';

const { signal } = new AbortController();

/** Starts what plays scheduler, nodes and volumes, as the administrator. */
export function runNodes(config: LoadedConfig, env: PlaneEnv, rules: PodRules): RunningPart {
  const client = createClient({ ...config, userAgent: USER_AGENT });
  const informers = informerFactory({ client, env });
  const controllers = simulationControllers({ client, env, informers, events: { record() {} } }, rules);
  const stop = new AbortController();
  const ended = runControllers(env, controllers, { informers }, stop.signal);
  // Reported by `stop`: until then, a failure is not unhandled.
  ended.catch(() => undefined);
  return {
    async stop() {
      stop.abort(new Error('the control plane is stopped'));
      await ended.catch((error: unknown) => {
        if (error !== stop.signal.reason) throw error;
      });
    },
  };
}

/** Creates the nodes. A server marks each new node as not ready, until a controller of nodes has seen it. */
export async function createNodes(config: LoadedConfig, count: number): Promise<void> {
  const client = createClient({ ...config, userAgent: USER_AGENT });
  const { nodes } = builtinResources(client.names).core.v1;
  const made = simulatedNodes(client.names, count, config.env.clock.now());
  await createAll(client, made, signal);
  const api = client.resource(nodes);
  for (const { metadata } of made) await api.patch.merge(metadata.name ?? '', { spec: { taints: null } });
}
