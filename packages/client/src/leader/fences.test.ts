import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fenceHeader, formatFence } from '@orch/machinery';
import { aborted } from '@orch/machinery/concurrency';
import { createClient } from '../create-client.ts';
import { configMap, configMaps, testClient } from '../testing/index.ts';
import { fencedTransport } from './fenced-transport.ts';
import { fenceInUserAgent } from './user-agent.ts';

describe('fences of leaders', () => {
  const fence = { namespace: 'system', name: 'boss', uid: 'u-1', holder: 'host/x (1)', transitions: 3 };

  it('every request of a leader has the fence in its user agent', async () => {
    const test = testClient();
    const leadership = { signal: new AbortController().signal, fence, isValid: () => true };
    const transport = fencedTransport(test.api, leadership);
    const client = createClient({
      transport,
      names: test.client.names,
      env: test.env,
      userAgent: 'manager/1',
    });
    await client.resource(configMaps, 'default').create(configMap('a'));
    await client.resource(configMaps, 'default').list();
    for (const { userAgent } of test.api.requests) {
      assert.ok(userAgent.startsWith('manager/1 ('));
      assert.deepEqual(fenceInUserAgent(userAgent), fence);
    }
    assert.equal(fenceInUserAgent('manager/1'), undefined);
  });

  it('every write of a leader has the fence in a header, and reads do not', async () => {
    const test = testClient();
    const sent: (readonly [method: string, fence: unknown])[] = [];
    const leadership = { signal: new AbortController().signal, fence, isValid: () => true };
    const transport = fencedTransport(
      {
        reset: () => undefined,
        close: async () => undefined,
        send(request, signal) {
          sent.push([request.method, request.headers[fenceHeader]]);
          return test.api.send(request, signal);
        },
      },
      leadership,
    );
    const { names } = test.client;
    const work = createClient({ transport, names, env: test.env, userAgent: 'manager/1' });
    const maps = work.resource(configMaps, 'default');
    const made = await maps.create(configMap('a'));
    await maps.get('a');
    await maps.update(made);
    await maps.patch.merge('a', { data: { a: 'b' } });
    await maps.list();
    await maps.delete('a');
    const own = formatFence(fence);
    assert.deepEqual(sent, [
      ['POST', own],
      ['GET', undefined],
      ['PUT', own],
      ['PATCH', own],
      ['GET', undefined],
      ['DELETE', own],
    ]);
  });

  it('the end of the leadership aborts current writes, and not reads', async () => {
    const test = testClient({ between: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const leadership = { signal: controller.signal, fence, isValid: () => !controller.signal.aborted };
    const hanging = {
      ...test.api,
      send: (_: unknown, signal: AbortSignal) => aborted(signal).then(() => Promise.reject(signal.reason)),
    };
    const transport = fencedTransport(hanging as never, leadership);
    const request = (method: string) => ({ method, target: '/api/v1/configmaps', headers: {} });
    const write = assert.rejects(transport.send(request('POST'), test.stop.signal), /over/);
    let readEnded = false;
    const read = transport.send(request('GET'), test.stop.signal).catch(() => {
      readEnded = true;
    });
    controller.abort(new Error('over'));
    await write;
    assert.equal(readEnded, false);
    test.stop.abort();
    await read;
  });
});
