import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  builtinResources,
  type Client,
  type ControllerContext,
  controller,
  informerSource,
  type LoadedConfig,
  runManager,
} from '@orch/client';
import type { ControlPlane } from '../options.ts';
import { startControlPlane } from '../start-control-plane.ts';
import { runCopier } from '../testing/copier.ts';
import { checkIdempotent, checkNoHotLoop, checkOrders, checkRestarts } from './checks.ts';
import type { Step, Subject } from './subject.ts';

const mapsOf = (client: Client) =>
  client.resource(builtinResources(client.names).core.v1.configmaps, 'default');

const create =
  (name: string, data: Readonly<Record<string, string>>): Step =>
  (client) =>
    mapsOf(client).create({ metadata: { name }, data });

/** Runs a controller that reacts to each change of a config map with `data.in`. */
const running =
  (react: (client: Client, name: string) => Promise<number | undefined>) =>
  (config: LoadedConfig, signal: AbortSignal): Promise<void> => {
    const controllers = ({ client, informers }: ControllerContext) => {
      const informer = informers.informer(builtinResources(client.names).core.v1.configmaps);
      const reconcile = async (key: string) => {
        const found = informer.store.get(key);
        if (found?.data?.['in'] === undefined) return;
        const requeueAfterMs = await react(client, found.metadata.name ?? '');
        return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
      };
      return [controller({ name: 'faulty', sources: [informerSource(informer)], reconcile })];
    };
    return runManager({ name: 'faulty', config, controllers }, signal);
  };

describe('checks of controllers', { timeout: 300_000 }, () => {
  let plane: ControlPlane;
  const steps = [create('a', { in: '1' }), create('b', { in: '2' })];
  const subjectOf = (run: Subject['run'], more: Partial<Subject> = {}): Subject => ({
    ...{ plane, run, steps, timeoutMs: 60_000 },
    ...more,
  });
  before(async () => {
    plane = await startControlPlane({ naming: 'kubernetes', forks: 1 });
    await plane.quiescent({ timeoutMs: 60_000 });
  });
  after(() => plane?.stop());

  it('a level-triggered controller passes all checks', async () => {
    const subject = subjectOf(runCopier);
    await checkIdempotent(subject);
    await checkNoHotLoop(subject);
    await checkOrders(subject, { orders: 2 });
    await checkRestarts(subject);
    assert.deepEqual(
      (await plane.history()).filter(({ name }) => name === 'a'),
      [],
    );
  });

  it('a controller that generates names, and refers to them, passes the checks of states', async () => {
    const generates = running(async (client, name) => {
      const maps = mapsOf(client);
      const { items } = await maps.list({ labelSelector: `of=${name}` });
      const found =
        items[0] ?? (await maps.create({ metadata: { generateName: 'made-', labels: { of: name } } }));
      await maps.patch.merge(name, { data: { made: found.metadata.name } });
      return undefined;
    });
    await checkOrders(subjectOf(generates), { orders: 2 });
    await checkRestarts(subjectOf(generates));
  });

  it('a controller that counts its starts is not idempotent', async () => {
    let starts = 0;
    const counts = subjectOf((config, signal) => {
      const start = String(++starts);
      const count = (client: Client, name: string) =>
        mapsOf(client).patch.merge(name, { data: { starts: start } });
      return running(async (client, name) => {
        await count(client, name);
        return undefined;
      })(config, signal);
    });
    await assert.rejects(
      checkIdempotent(counts),
      /not idempotent: .*\n.*ConfigMap default\/a updated by .*data\.starts/s,
    );
  });

  it('a controller that asks again without a reason is in a hot loop', async () => {
    const hot = running(async (client, name) => {
      await mapsOf(client).get(name);
      return 1;
    });
    await assert.rejects(
      checkNoHotLoop(subjectOf(hot, { timeoutMs: 1500 })),
      /hot loop: \d+ requests|does not come to rest/,
    );
  });

  it('a controller whose result depends on the order of events is found', async () => {
    const remembers = (config: LoadedConfig, signal: AbortSignal): Promise<void> => {
      let first: string | undefined;
      return running(async (client, name) => {
        first ??= name;
        await mapsOf(client).patch.merge(name, { data: { first } });
        return undefined;
      })(config, signal);
    };
    await assert.rejects(
      checkOrders(subjectOf(remembers), { orders: 4 }),
      /the order 2, 1 of the steps leads to another state:\nv1 ConfigMap default\/a:/,
    );
  });

  it('a controller that forgets the second of two writes when it is killed is found', async () => {
    const forgets = running(async (client, name) => {
      const { data } = await mapsOf(client).get(name);
      if (data?.['began'] !== undefined) return undefined;
      await mapsOf(client).patch.merge(name, { data: { began: 'true' } });
      await mapsOf(client).patch.merge(name, { data: { done: 'true' } });
      return undefined;
    });
    const subject = subjectOf(forgets, { steps: [create('a', { in: '1' })] });
    await assert.rejects(checkRestarts(subject), /a restart after write 1 of 2 leads to another state:/);
  });
});
