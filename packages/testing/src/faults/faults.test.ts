import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  builtinResources,
  createClient,
  isApiError,
  isConflict,
  isInternalError,
  isNotFound,
  type LoadedConfig,
  leaderElector,
  TransportError,
} from '@orch/client';
import type { Cancel } from '@orch/machinery';
import { FakeClock, until } from '@orch/machinery/testing';
import type { ControlPlane } from '../options.ts';
import { startControlPlane } from '../start-control-plane.ts';
import { runCopier } from '../testing/copier.ts';
import type { Fault, FaultRequest, FaultRule } from './fault.ts';
import { scheduleOf } from './schedule.ts';
import { takeLease } from './take-lease.ts';
import { faultyConfig, withFaults } from './with-faults.ts';

const TIMEOUT_MS = 60_000;
const { signal } = new AbortController();

const mapsOf = (config: LoadedConfig) => {
  const client = createClient(config);
  return client.resource(builtinResources(client.names).core.v1.configmaps, 'default');
};

/** The first request with a verb has a fault. */
const first =
  (verb: string, fault: Fault): FaultRule =>
  (request) =>
    request.verb === verb && request.occurrence === 0 ? fault : undefined;

/** The time of faults, which nothing else waits for. */
const FAULT_MS = 4_321;

/** A clock that only the test advances, and that tells when faults wait for it. */
class RecordingClock extends FakeClock {
  #faults = 0;

  override schedule(delayMs: number, callback: () => void): Cancel {
    if (delayMs === FAULT_MS) this.#faults++;
    return super.schedule(delayMs, callback);
  }

  /** Resolves when so many faults have waited. */
  waits(faults: number): Promise<unknown> {
    return until(() => this.#faults >= faults);
  }
}

const request = (verb: string, path: string, occurrence: number): FaultRequest => ({
  ...{ verb, path, occurrence },
  ...{ resource: 'configmaps', namespace: 'default', name: 'a', subresource: '' },
});

describe('faults of requests', { timeout: 170_000 }, () => {
  let plane: ControlPlane;
  before(async () => {
    plane = await startControlPlane({ naming: 'kubernetes' });
  });
  after(() => plane?.stop());
  beforeEach(() => plane.reset());

  const faulty = (verb: string, fault: Fault) => faultyConfig(plane.config, { rules: [first(verb, fault)] });

  const withRecordingClock = (verb: string, fault: Fault) => {
    const clock = new RecordingClock();
    const env = { ...plane.config.env, clock };
    const config = faultyConfig({ ...plane.config, env }, { rules: [first(verb, fault)] });
    return { config, clock };
  };

  it('an error before a write leaves the objects as they were', async () => {
    const config = faulty('create', { kind: 'error', code: 500, moment: 'before' });
    await assert.rejects(mapsOf(config).create({ metadata: { name: 'a' } }), isInternalError);
    await assert.rejects(mapsOf(config).get('a'), isNotFound);
    assert.equal(config.faults.length, 1);
  });

  for (const fault of [
    { kind: 'error', code: 500, moment: 'after' },
    { kind: 'lost', moment: 'after' },
  ] as const)
    it(`a write takes effect before the fault ${fault.kind} hides its answer`, async () => {
      const config = faulty('create', fault);
      await assert.rejects(mapsOf(config).create({ metadata: { name: 'a' } }));
      assert.equal((await mapsOf(config).get('a')).metadata.name, 'a');
    });

  it('a lost answer to a write has an unknown outcome, and a lost read has no effect', async () => {
    const write = mapsOf(faulty('create', { kind: 'lost' })).create({ metadata: { name: 'a' } });
    await assert.rejects(write, (error) => error instanceof TransportError && error.outcome === 'unknown');
    const read = mapsOf(faulty('get', { kind: 'lost' })).get('a');
    await assert.rejects(read, (error) => error instanceof TransportError && error.outcome === 'noEffect');
  });

  it('a request with the fault slow is sent after its time, and not before', async () => {
    const { config, clock } = withRecordingClock('create', { kind: 'slow', ms: FAULT_MS });
    const created = mapsOf(config).create({ metadata: { name: 'a' } });
    await clock.waits(1);
    clock.advance(FAULT_MS - 1);
    await assert.rejects(mapsOf(plane.config).get('a'), isNotFound);
    clock.advance(1);
    assert.equal((await created).metadata.name, 'a');
  });

  it('a watch with the fault delayed delivers each event after its time, and not before', async () => {
    const maps = mapsOf(plane.config);
    const { resourceVersion = '' } = (await maps.list()).metadata;
    const { config, clock } = withRecordingClock('watch', { kind: 'delayed', ms: FAULT_MS });
    for (const name of ['a', 'b']) await maps.create({ metadata: { name } });
    const watch = mapsOf(config).watch({ resourceVersion }, signal)[Symbol.asyncIterator]();
    for (const [i, name] of ['a', 'b'].entries()) {
      let hasArrived = false;
      const next = watch.next().finally(() => {
        hasArrived = true;
      });
      await clock.waits(i + 1);
      clock.advance(FAULT_MS - 1);
      await maps.get(name);
      assert.equal(hasArrived, false, name);
      clock.advance(1);
      const { value } = await next;
      assert.equal(value?.object.metadata?.name, name);
    }
    await watch.return?.();
  });

  it('conflicts and refusals by flow control are answers as of the server', async () => {
    await mapsOf(plane.config).create({ metadata: { name: 'a' } });
    const conflict = mapsOf(faulty('patch', { kind: 'error', code: 409 })).patch.merge('a', {});
    await assert.rejects(conflict, isConflict);
    const busy = mapsOf(faulty('get', { kind: 'error', code: 429 }));
    assert.equal((await busy.get('a')).metadata.name, 'a', 'the client has tried again');
  });

  it('a stale read shows an earlier answer', async () => {
    const config = faultyConfig(plane.config, {
      rules: [({ verb, occurrence }) => (verb === 'get' && occurrence === 1 ? { kind: 'stale' } : undefined)],
    });
    await mapsOf(config).create({ metadata: { name: 'a' }, data: { k: 'old' } });
    await mapsOf(config).get('a');
    await mapsOf(config).patch.merge('a', { data: { k: 'new' } });
    assert.equal((await mapsOf(config).get('a')).data?.['k'], 'old');
    assert.equal((await mapsOf(config).get('a')).data?.['k'], 'new');
  });

  it('a change of the replica ends the watches of the client, and the request that meets it succeeds', async () => {
    const config = faulty('create', { kind: 'replica' });
    const { metadata } = await mapsOf(config).list();
    const watch = mapsOf(config).watch({ resourceVersion: metadata.resourceVersion }, signal);
    const event = watch[Symbol.asyncIterator]().next();
    const other = mapsOf(plane.config).watch({ resourceVersion: metadata.resourceVersion }, signal);
    // The watch has to be open before the fault, so another client makes it deliver an event.
    await mapsOf(plane.config).create({ metadata: { name: 'first' } });
    assert.equal((await event).done, false);
    const lost = assert.rejects(async () => {
      for await (const _ of watch);
    }, TransportError);
    await mapsOf(config).create({ metadata: { name: 'second' } });
    await lost;
    for await (const { object } of other) if (object.metadata?.name === 'second') break;
  });

  it('a watch with a fault ends after its events, and a compacted one with 410', async () => {
    await plane.quiescent({ timeoutMs: TIMEOUT_MS });
    const { metadata } = await mapsOf(plane.config).list();
    const { resourceVersion = '' } = metadata;
    for (const name of ['a', 'b']) await mapsOf(plane.config).create({ metadata: { name } });
    const seen = async (fault: Fault): Promise<readonly string[]> => {
      const names: string[] = [];
      try {
        for await (const event of mapsOf(faulty('watch', fault)).watch({ resourceVersion }, signal))
          if (event.type !== 'BOOKMARK') names.push(event.object.metadata?.name ?? '');
      } catch (error) {
        names.push(isApiError(error) ? String(error.status.code) : 'lost');
      }
      return names;
    };
    assert.deepEqual(await seen({ kind: 'cut', events: 1 }), ['a', 'lost']);
    assert.deepEqual(await seen({ kind: 'bookmarksOnly' }), ['lost']);
    assert.deepEqual(await seen({ kind: 'compacted' }), ['410']);
  });

  it('a controller reaches its goal under the schedules of several numbers', async () => {
    for (const seed of [1, 2, 3])
      await withFaults(plane.config, { seed, rate: 0.3 }, async (config) => {
        await plane.reset();
        const stop = new AbortController();
        const running = runCopier(config, stop.signal);
        const names = Array.from({ length: 10 }, (_, i) => `map-${i}`);
        for (const name of names)
          await mapsOf(plane.config).create({ metadata: { name }, data: { in: name } });
        for (const name of names)
          await plane.eventually(
            { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } },
            (now) => (now as { data?: { out?: string } } | undefined)?.data?.out === name,
            { timeoutMs: TIMEOUT_MS },
          );
        stop.abort();
        await running;
        assert.ok(config.faults.length > 0);
      });
  });

  it('a failure with faults names its number, and the number gives the same faults again', async () => {
    const run = async (seed: number | undefined): Promise<string> => {
      await plane.reset();
      const test = async (config: LoadedConfig): Promise<void> => {
        for (let i = 0; i < 20; i++)
          await mapsOf(config)
            .get('missing')
            .catch(() => undefined);
        throw new Error('the test fails');
      };
      const options = { rate: 0.5, ...(seed !== undefined && { seed }) };
      const error: unknown = await withFaults(plane.config, options, test).catch((reason: unknown) => reason);
      return (error as Error).message;
    };
    const message = await run(undefined);
    const seed = Number(/^The test failed with faults\. To replay it: seed (\d+)\.$/m.exec(message)?.[1]);
    assert.match(message, /^the test fails\n/);
    assert.match(message, /^ {2}get .*\/configmaps\/missing \(occurrence \d+\): /m);
    assert.equal(await run(seed), message);
  });

  it('a replica whose Lease was taken loses its leadership', async () => {
    const { config } = plane;
    const client = createClient(config);
    const elector = leaderElector({
      ...{ client, env: config.env, namespace: 'default', name: 'operator', identity: 'me' },
      ...{ leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 200 },
    });
    const led = await elector.run(async (leadership) => {
      await takeLease(config, { name: 'operator' });
      await new Promise<void>((resolve) => {
        leadership.signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }, signal);
    assert.equal(led, 'lost');
  });
});

describe('the schedule of a number', () => {
  const requests = Array.from({ length: 400 }, (_, i) => request('update', '/api/v1/a', i));

  it('a schedule has the same faults in each run, in every order of requests', () => {
    const faults = requests.map(scheduleOf(7));
    assert.deepEqual(requests.toReversed().map(scheduleOf(7)).toReversed(), faults);
    assert.notDeepEqual(requests.map(scheduleOf(8)), faults);
  });

  it('a schedule has faults at about its rate, and of the chosen kinds only', () => {
    const faults = requests
      .map(scheduleOf(7, { rate: 0.2, kinds: ['lost'] }))
      .filter((one) => one !== undefined);
    assert.ok(faults.length > 40 && faults.length < 120, String(faults.length));
    assert.deepEqual(new Set(faults.map(({ kind }) => kind)), new Set(['lost']));
  });

  it('a request fails at most twice in a row even if every request may fail', () => {
    const faults = requests.map(scheduleOf(7, { rate: 1 }));
    const runs = faults
      .map((fault) => (fault === undefined ? ' ' : 'x'))
      .join('')
      .split(' ');
    assert.equal(Math.max(...runs.map(({ length }) => length)) <= 2, true);
  });
});
