import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { builtinResources, controller, createClient, informerSource, runManager } from '@orch/client';
import type { ControlPlane } from '../options.ts';
import { startControlPlane } from '../start-control-plane.ts';
import { faultText, type InjectedFault } from './fault.ts';
import { faultyConfig } from './with-faults.ts';

const STEPS = 4;
const NAMES = ['a', 'b', 'c'];

describe('the replay of a number', { timeout: 170_000 }, () => {
  let plane: ControlPlane;
  before(async () => {
    plane = await startControlPlane({ naming: 'kubernetes', port: false, controllers: false });
  });
  after(() => plane?.stop());

  /**
   * Runs a controller that counts to four in each config map, with pauses. Returns its requests and reconciliations up to the last
   * write, with their times since the start.
   */
  async function run(seed: number): Promise<readonly string[]> {
    await plane.reset();
    const client = createClient(plane.config);
    const { configmaps } = builtinResources(client.names).core.v1;
    const maps = client.resource(configmaps, 'default');
    for (const name of NAMES) await maps.create({ metadata: { name }, data: { n: '0' } });
    const trace: string[] = [];
    const note = (text: string): void => {
      trace.push(`${(config.env.clock.monotonic() - started).toFixed(3)} ${text}`);
    };
    const config = faultyConfig(plane.config, {
      ...{ seed, rate: 0.3 },
      rules: [
        ({ verb, path, occurrence }) => {
          note(`${verb} ${path} ${occurrence}`);
          return undefined;
        },
      ],
    });
    const started = config.env.clock.monotonic();
    const stop = new AbortController();
    const done = new Set<string>();
    const running = runManager(
      {
        ...{ name: 'counter', config },
        controllers: ({ client: faulty, informers, env }) => {
          const informer = informers.informer(configmaps, { namespace: 'default' });
          const counter = controller({
            name: 'counter',
            sources: [informerSource(informer)],
            async reconcile(key, signal) {
              const map = informer.store.get(key);
              const n = Number(map?.data?.['n']);
              note(`reconcile ${key} ${n} ${env.random.int(1000)}`);
              if (n === STEPS) {
                if (done.add(key).size === NAMES.length) stop.abort();
                return undefined;
              }
              await faulty
                .resource(configmaps, 'default')
                .patch.merge(map?.metadata.name ?? '', { data: { n: String(n + 1) } }, {}, signal);
              return { requeueAfterMs: 5 };
            },
          });
          return [counter];
        },
      },
      stop.signal,
    );
    await running;
    const last = trace.findLastIndex((line) => / patch /.test(line));
    return [...trace.slice(0, last + 1), ...config.faults.map((fault: InjectedFault) => faultText(fault))];
  }

  it('a controller makes the same requests at the same times with the same random numbers again', async () => {
    for (const seed of [3, 4]) {
      const first = await run(seed);
      assert.ok(first.length > NAMES.length * STEPS * 2, first.join('\n'));
      assert.deepEqual(await run(seed), first);
    }
  });
});
