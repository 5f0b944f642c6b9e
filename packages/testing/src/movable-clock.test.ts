import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  builtinResources,
  type Controller,
  controller,
  createClient,
  isNotFound,
  periodicSource,
  runManager,
  typed,
} from '@orch/client';
import { systemClock } from '@orch/machinery/env';
import { withFaults } from './faults/with-faults.ts';
import { MovableClock } from './movable-clock.ts';
import type { ControlPlane } from './options.ts';
import { startControlPlane } from './start-control-plane.ts';

const HOUR_MS = 3_600_000;
const isNear = (actual: number, expected: number): boolean => Math.abs(actual - expected) < 60_000;

describe('a clock that a test moves', () => {
  it('timers that have fallen due run once, in the order of their times', async () => {
    const clock = new MovableClock();
    const ran: string[] = [];
    clock.schedule(3 * HOUR_MS, () => ran.push('third'));
    const second = clock.schedule(2 * HOUR_MS, () => ran.push('second'));
    clock.scheduleAwaited(HOUR_MS, () => {
      ran.push('first');
      second();
      clock.schedule(HOUR_MS, () => ran.push('next'));
    });
    clock.schedule(5 * HOUR_MS, () => ran.push('later'));
    await clock.advance(4 * HOUR_MS);
    assert.deepEqual(ran, ['first', 'third']);
    assert.ok(isNear(clock.now(), systemClock.now() + 4 * HOUR_MS));
    await clock.advance(HOUR_MS);
    assert.deepEqual(ran, ['first', 'third', 'later', 'next']);
  });

  it('timers also run as time passes', async () => {
    const clock = new MovableClock();
    await new Promise<void>((resolve) => clock.scheduleAwaited(1, resolve));
  });

  it('the time does not go back', async () => {
    for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      await assert.rejects(new MovableClock().advance(ms), RangeError);
  });
});

describe('the clock of a control plane', { timeout: 170_000 }, () => {
  let plane: ControlPlane;
  before(async () => {
    plane = await startControlPlane({ naming: 'kubernetes', port: false });
  });
  after(() => plane?.stop());

  const parts = (of = plane) => {
    const client = createClient(of.config);
    const { configmaps } = builtinResources(client.names).core.v1;
    return { client, maps: client.resource(configmaps, 'default') };
  };

  it('the server and controllers of the test see the time that the test has moved', async () => {
    const beats: number[] = [];
    const { env } = plane.config;
    const beat = (): Controller<string> =>
      controller({
        name: 'beat',
        sources: [periodicSource(env, 100 * HOUR_MS, () => ['a'])],
        async reconcile() {
          await parts().maps.list();
          beats.push(env.clock.now());
          return { requeueAfterMs: HOUR_MS };
        },
      });
    const stop = new AbortController();
    const running = runManager(
      { name: 'beats', config: plane.config, controllers: () => [beat()] },
      stop.signal,
    );
    await plane.quiescent();
    for (let hours = 0; hours < 3; hours++) await plane.advance(HOUR_MS);
    await plane.quiescent();
    stop.abort();
    await running;
    assert.equal(beats.length, 4);
    const made = await parts().maps.create({ metadata: { name: 'late' } });
    assert.ok(isNear(Date.parse(made.metadata.creationTimestamp ?? ''), Date.now() + 3 * HOUR_MS));
  });

  it('objects that expire are gone when the time has moved past their end', async () => {
    const { events } = typed(createClient(plane.config), 'default').core.v1;
    const involvedObject = { kind: 'ConfigMap', apiVersion: 'v1', name: 'a', namespace: 'default' };
    const event = await events.create({ metadata: { name: 'short' }, involvedObject });
    await plane.advance(2 * HOUR_MS);
    await plane.eventually(event, (now) => now === undefined);
    await assert.rejects(events.get('short'), isNotFound);
  });

  it('a fork continues at the time of its origin, and moves alone', async () => {
    await plane.advance(HOUR_MS);
    await using fork = await plane.fork();
    const [origin, copy] = [plane.config.env.clock, fork.config.env.clock];
    assert.ok(isNear(copy.now(), origin.now()));
    await fork.advance(HOUR_MS);
    assert.ok(isNear(copy.now(), origin.now() + HOUR_MS));
  });

  it('a jump of the clock is a fault of a rule', async () => {
    const before = plane.config.env.clock.now();
    const rules = [() => ({ kind: 'jump', ms: 30_000 }) as const];
    await withFaults(plane.config, { rules }, async (config) => {
      const { configmaps } = builtinResources(config.names).core.v1;
      await createClient(config).resource(configmaps, 'default').list();
      assert.deepEqual(
        config.faults.map(({ fault }) => fault.kind),
        ['jump'],
      );
    });
    assert.ok(plane.config.env.clock.now() >= before + 30_000);
  });
});
