import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, errors } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import { configMap, configMaps, type TestClient, testClient } from '../testing/index.ts';
import { TransportError } from '../transport/transport.ts';
import { type FollowOptions, follow } from './follow.ts';
import { changedSince, followObject, followObjects } from './follow-objects.ts';

const at = (name: string) => ({ collection: '/configmaps', namespace: 'default', name });

/** A client whose next requests fail with the errors of `faults`. */
function faulty(): TestClient & { readonly faults: Error[] } {
  const faults: Error[] = [];
  const test = testClient({
    async between(_request, _signal, send) {
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
      return send();
    },
  });
  return { ...test, faults };
}

/** The followed events, as words: pages as `[names]`, with the version since which they are new, and events. */
function record({ client, env, stop }: TestClient, options: Partial<FollowOptions> = {}) {
  const seen: string[] = [];
  const source = followObjects(client.resource(configMaps, 'default'), {});
  const run = async (): Promise<void> => {
    for await (const step of follow(source, { env, ...options }, stop.signal)) {
      if (step.type === 'page') {
        const names = step.page.items.map(({ metadata }) => metadata.name);
        seen.push(`[${names}]${step.since === undefined ? '' : ' again'}`);
      } else if (step.event.type !== 'BOOKMARK')
        seen.push(`${step.event.type} ${step.event.object.metadata.name}`);
    }
  };
  return { seen, ended: run() };
}

const passTime = async ({ env }: TestClient): Promise<void> => {
  for (let i = 0; i < 5; i++) await settle();
  await env.clock.advanceAsync(15_000);
  for (let i = 0; i < 5; i++) await settle();
};

describe('following objects', () => {
  const lost = () => new TransportError('noEffect', 'the connection was lost');
  for (const [what, faults] of [
    ['a lost connection', [lost()]],
    ['a server that cannot be reached for a while', [lost(), lost(), lost(), lost()]],
    ['an internal error', [errors.internal('broken')]],
    ['an unavailable server', [errors.serviceUnavailable('not ready', 0)]],
    ['a server with too many requests', [errors.tooManyRequests('busy', 0)]],
  ] as const)
    it(`a watch resumes after ${what} without a gap or a repetition`, async () => {
      const test = faulty();
      const { api, stop } = test;
      api.objects.create(at('a'), configMap('a'), '');
      const { seen, ended } = record(test);
      await passTime(test);
      test.faults.push(...faults);
      for (const watch of [...api.watches]) watch.cut();
      api.objects.create(at('b'), configMap('b'), '');
      api.objects.delete(at('a'), {}, '');
      for (let i = 0; i < 4; i++) await passTime(test);
      assert.deepEqual(seen, ['[a]', 'ADDED b', 'DELETED a']);
      assert.equal(test.faults.length, 0);
      stop.abort(new Error('enough'));
      await assert.rejects(ended, /enough/);
      assert.deepEqual([api.watches.size, test.env.clock.pending], [0, 0]);
    });

  it('the state is read again after a 410, with the version up to which it was known', async () => {
    const test = faulty();
    const { api } = test;
    api.objects.create(at('a'), configMap('a'), '');
    const { seen, ended } = record(test);
    await passTime(test);
    for (const watch of [...api.watches]) watch.cut();
    test.faults.push(errors.expired('too old'));
    api.objects.create(at('b'), configMap('b'), '');
    await passTime(test);
    api.objects.create(at('c'), configMap('c'), '');
    await passTime(test);
    assert.deepEqual(seen, ['[a]', '[a,b] again', 'ADDED c']);
    test.stop.abort(new Error('enough'));
    await assert.rejects(ended, /enough/);
  });

  it('the first list is not repeated unless that is asked for', async () => {
    const refused = faulty();
    refused.faults.push(lost());
    await assert.rejects(record(refused).ended, /connection was lost/);
    const repeated = faulty();
    repeated.faults.push(lost());
    const { seen, ended } = record(repeated, { retriesFirst: true });
    await passTime(repeated);
    assert.deepEqual(seen, ['[]']);
    repeated.stop.abort(new Error('enough'));
    await assert.rejects(ended, /enough/);
  });

  it('an error that another attempt cannot change ends it, and failures before that are reported', async () => {
    const test = faulty();
    const failures: number[] = [];
    const { ended } = record(test, { onFailure: (_, count) => failures.push(count) });
    await passTime(test);
    test.faults.push(lost(), lost(), errors.unauthorized());
    for (const watch of [...test.api.watches]) watch.cut();
    const rejected = assert.rejects(ended, { name: 'ApiError' });
    await passTime(test);
    await rejected;
    assert.deepEqual(failures, [1, 2, 3]);
  });

  it('one object is followed by its name: undefined while it does not exist', async () => {
    const test = testClient();
    const client = test.client.resource(configMaps, 'default');
    const seen: (string | undefined)[] = [];
    const run = async (): Promise<void> => {
      const states = followObject<ApiObject>(client, 'a', { env: test.env }, test.stop.signal);
      for await (const object of states) seen.push(object?.metadata.name);
    };
    const ended = assert.rejects(run(), /enough/);
    await passTime(test);
    test.api.objects.create(at('a'), configMap('a'), '');
    for (const watch of [...test.api.watches]) watch.cut();
    await passTime(test);
    test.api.objects.delete(at('a'), {}, '');
    await passTime(test);
    assert.deepEqual(seen, [undefined, 'a', undefined]);
    test.stop.abort(new Error('enough'));
    await ended;
  });

  it('items are new when their version is higher, or cannot be compared', () => {
    const items = ['9', '10', '11', 'x'];
    assert.deepEqual(
      [undefined, '10', 'y'].map((since) => changedSince(items, since, (item) => item)),
      [items, ['11', 'x'], items],
    );
  });
});
