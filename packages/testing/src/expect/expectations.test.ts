import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { builtinResources, createClient, type kinds } from '@orch/client';
import { namings } from '@orch/machinery';
import type { ControlPlane } from '../options.ts';
import { startControlPlane } from '../start-control-plane.ts';
import { runCopier } from '../testing/copier.ts';

type ConfigMap = kinds.core.ConfigMap;

const TIMEOUT_MS = 60_000;

for (const naming of namings)
  describe(`expectations of a control plane (${naming})`, { timeout: 170_000 }, () => {
    let plane: ControlPlane;
    const stop = new AbortController();
    let running: Promise<void>;
    const maps = () => {
      const client = createClient(plane.config);
      return client.resource(builtinResources(client.names).core.v1.configmaps, 'default');
    };
    before(async () => {
      plane = await startControlPlane({ naming });
      running = runCopier(plane.config, stop.signal);
    });
    after(async () => {
      stop.abort();
      await running?.catch(() => undefined);
      await plane?.stop();
    });
    beforeEach(() => plane.reset());

    it('an object is awaited until it meets the expectation', async () => {
      const map: ConfigMap = await maps().create({ metadata: { name: 'a' }, data: { in: '1' } });
      const met = await plane.eventually(map, (now) => assert.equal(now?.data?.['out'], '1'), {
        timeoutMs: TIMEOUT_MS,
      });
      assert.equal(met?.data?.['out'], '1');
      await maps().delete('a');
      assert.equal(await plane.eventually(map, (now) => now === undefined), undefined);
    });

    it('an unmet expectation fails with its reason, the history of the object and the last state', async () => {
      const map: ConfigMap = await maps().create({ metadata: { name: 'a' }, data: { in: '1' } });
      await plane.eventually(map, (now) => now?.data?.['out'] === '1', { timeoutMs: TIMEOUT_MS });
      const unmet = plane.eventually(map, (now) => assert.equal(now?.data?.['out'], '2', 'out is another'), {
        timeoutMs: 300,
      });
      await assert.rejects(unmet, (error: Error) => {
        assert.match(
          error.message,
          /^ConfigMap default\/a is not as expected within 300 ms\nout is another\n/,
        );
        assert.match(error.message, /ConfigMap default\/a created by /);
        assert.match(error.message, /ConfigMap default\/a updated by .*: data\.out/);
        assert.match(error.message, /"out": "1"/);
        assert.doesNotMatch(error.message, /managedFields/);
        return true;
      });
    });

    it('an unmet expectation of an object that is written all the time fails with its last writes', async () => {
      const map: ConfigMap = await maps().create({ metadata: { name: 'a' } });
      const stopWriting = new AbortController();
      const writing = (async () => {
        for (let count = 1; !stopWriting.signal.aborted; count += 1)
          await maps().patch.merge('a', { data: { count: String(count) } });
      })();
      const enough = (now: ConfigMap | undefined): boolean => Number(now?.data?.['count'] ?? 0) >= 80;
      await plane.eventually(map, enough, { timeoutMs: TIMEOUT_MS });
      await assert.rejects(
        plane.eventually(map, () => false, { timeoutMs: 50 }),
        ({ message }: Error) => {
          assert.match(message, /\nIts history:\n {2}\(\d+ writes before\)\n/);
          assert.equal(message.match(/ConfigMap default\/a updated by /g)?.length, 50, message);
          return true;
        },
      );
      stopWriting.abort();
      await writing;
    });

    it('a wait lasts its whole time although the clock of the control plane jumps', async () => {
      const map: ConfigMap = await maps().create({ metadata: { name: 'a' } });
      const met = plane.eventually(map, (now) => now?.data?.['late'] === 'yes', { timeoutMs: TIMEOUT_MS });
      const rest = plane.quiescent({ timeoutMs: TIMEOUT_MS });
      await plane.advance(TIMEOUT_MS);
      await maps().patch.merge('a', { data: { late: 'yes' } });
      assert.equal((await met)?.data?.['late'], 'yes');
      await rest;
    });

    it('an object that cannot be awaited and an async expectation are refused at once', async () => {
      const map: ConfigMap = await maps().create({ metadata: { name: 'a' } });
      const refused = (object: ConfigMap, expectation: () => boolean | Promise<void>, message: RegExp) =>
        assert.rejects(plane.eventually(object, expectation), { name: 'TypeError', message });
      await refused(map, async () => assert.fail('too late'), /must return its result, and not a promise/);
      await refused({ ...map, metadata: { namespace: 'default' } }, () => true, /without metadata\.name/);
      await refused({ metadata: map.metadata }, () => true, /needs its apiVersion and kind/);
    });

    it('an expectation is not met by null, zero or an empty text, and the compiler refuses one that may return undefined', async () => {
      const map: ConfigMap = await maps().create({ metadata: { name: 'a' } });
      const soon = { timeoutMs: 50 };
      for (const result of [null, 0, '', Number.NaN, false])
        await assert.rejects(
          plane.eventually(map, () => result, soon),
          /is not as expected within 50 ms/,
        );
      for (const result of [true, 1, 'yes', {}]) await plane.eventually(map, () => result, soon);
      // @ts-expect-error It would be met while there is no data.
      await plane.eventually(map, (now) => now?.data?.['out']?.startsWith('b'), soon);
      await plane.eventually(map, (now) => assert.equal(now?.metadata.name, 'a'), soon);
      await plane.eventually(map, (now) => assert.ok(now));
    });

    it('the failure about an object that was never there says so', async () => {
      const absent = {
        ...{ apiVersion: 'v1', kind: 'ConfigMap' },
        metadata: { name: 'b', namespace: 'default' },
      };
      await assert.rejects(
        plane.eventually(absent, (now) => now !== undefined, { timeoutMs: 100 }),
        /Its history:\n {2}no write is recorded\nIts last state:\nit does not exist$/,
      );
    });

    it('the control plane is quiescent when the controllers have done all work', async () => {
      const names = Array.from({ length: 20 }, (_, i) => `map-${i}`);
      await Promise.all(names.map((name) => maps().create({ metadata: { name }, data: { in: name } })));
      await plane.quiescent({ timeoutMs: TIMEOUT_MS });
      const { items } = await maps().list();
      const out = items.flatMap(({ data }) => (data?.['out'] === undefined ? [] : [data['out']]));
      assert.deepEqual(out.sort(), names.sort());
    });

    it('a control plane with a failing key is not quiescent, and the failure names the queue', async () => {
      await plane.quiescent({ timeoutMs: TIMEOUT_MS });
      await maps().create({ metadata: { name: 'a' }, data: { in: 'bad' } });
      await assert.rejects(
        plane.quiescent({ timeoutMs: 500 }),
        /does not come to rest within 500 ms: .*copier \(.*1 failing/,
      );
      await maps().delete('a');
      await plane.quiescent({ timeoutMs: TIMEOUT_MS });
    });

    it('the history has every write since the reset, with its user and the changed fields', async () => {
      await maps().create({ metadata: { name: 'a' }, data: { in: '1' } });
      await plane.quiescent({ timeoutMs: TIMEOUT_MS });
      await maps().delete('a');
      const writes = (await plane.history()).filter(({ name }) => name === 'a');
      assert.deepEqual(
        writes.map(({ kind, change, verb, fields }) => [kind, change, verb, ...fields]),
        [
          ['ConfigMap', 'created', 'create'],
          ['ConfigMap', 'updated', 'patch', 'data.out'],
          ['ConfigMap', 'deleted', 'delete'],
        ],
      );
      assert.equal(
        writes.every(({ user }) => user !== ''),
        true,
      );
      await plane.reset();
      assert.deepEqual(
        (await plane.history()).filter(({ name }) => name === 'a'),
        [],
      );
    });
  });
