import assert from 'node:assert/strict';
import {
  builtinResources,
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  runManager,
} from '@orch/client';
import type { Env, Names } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import type { Program } from '../world/process.ts';

/** What copiers have done wrong. */
export class CopierChecks {
  failure: Error | undefined;

  /** Throws if a controller has broken a promise. */
  check(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}

const MAX_WORK_MS = 3000;

/** Programs of which one is elected. Its controller copies `data.in` of each config map of a namespace to `data.out`. */
export const copierProgram =
  (names: Names, checks: CopierChecks): Program =>
  ({ env, identity, transport }, signal) =>
    runManager(
      {
        name: 'copier',
        config: { transport, names, env, userAgent: 'copier/1', namespace: 'default' },
        election: { identity },
        controllers: (context) => [copier(context, env, checks)],
      },
      signal,
    );

function copier({ client, informers }: ControllerContext, env: Env, checks: CopierChecks): Controller {
  const { configmaps } = builtinResources(client.names).core.v1;
  const informer = informers.informer(configmaps, { namespace: 'work' });
  const working = new Set<string>();
  const copy = async (key: string, signal: AbortSignal): Promise<void> => {
    const { in: wanted, out } = informer.store.get(key)?.data ?? {};
    if (wanted === undefined || wanted === out) return;
    if (env.random.int(2) === 0) await sleep(env.clock, env.random.int(MAX_WORK_MS), signal);
    if (env.random.int(8) === 0) throw new Error('the work fails');
    await client
      .resource(configmaps, 'work')
      .patch.merge(key.slice(key.indexOf('/') + 1), { data: { out: wanted } }, {}, signal);
  };
  return controller({
    name: 'copier',
    sources: [informerSource(informer)],
    concurrency: 3,
    async reconcile(key, signal) {
      if (working.has(key))
        checks.failure ??= new assert.AssertionError({ message: `${key} is worked on twice at once` });
      working.add(key);
      try {
        await copy(key, signal);
      } finally {
        working.delete(key);
      }
    },
  });
}
