import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Env, namesFor } from '@orch/machinery';
import { aborted, deferred } from '@orch/machinery/concurrency';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { controller } from '../controller/controller.ts';
import { informerSource } from '../controller/sources.ts';
import { createClient } from '../create-client.ts';
import { configMap, configMaps, testClient } from '../testing/index.ts';
import { type ManagerOptions, runManager } from './manager.ts';

/** A model server, on which a manager works with the clock of the system. */
function modelServer() {
  const { api } = testClient();
  const env: Env = systemEnv({ log: silentLogger });
  const config = {
    transport: api,
    names: namesFor('orch'),
    env,
    userAgent: 'manager-test/1',
    namespace: 'default',
  };
  return { config, client: createClient(config), stop: new AbortController() };
}

/** Controllers that label every config map. */
const labelling: ManagerOptions['controllers'] = ({ client, informers }) => {
  const maps = informers.informer(configMaps);
  const reconcile = async (key: string, signal: AbortSignal) => {
    const map = maps.store.get(key);
    if (map === undefined || map.metadata.labels?.['seen'] === 'yes') return undefined;
    const patch = { metadata: { labels: { seen: 'yes' } } };
    await client.resource(configMaps, 'default').patch.merge(map.metadata.name ?? '', patch, {}, signal);
    return undefined;
  };
  return [controller({ name: 'labelling', sources: [informerSource(maps)], reconcile })];
};

async function labelled(client: ReturnType<typeof createClient>, name: string): Promise<void> {
  const { signal } = new AbortController();
  for await (const { object } of client.resource(configMaps, 'default').watch({}, signal))
    if (object.metadata.name === name && object.metadata.labels?.['seen'] === 'yes') return;
}

describe('managers of programs', { timeout: 120_000 }, () => {
  it('a manager runs its controllers until its signal aborts', async () => {
    const { config, client, stop } = modelServer();
    const running = runManager({ name: 'labels', config, controllers: labelling }, stop.signal);
    await client.resource(configMaps, 'default').create(configMap('a'));
    await labelled(client, 'a');
    stop.abort(new Error('the test is over'));
    await running;
  });

  it('a manager ends when the server of its configuration has been stopped for good', async () => {
    const { config, client } = modelServer();
    const stopped = new AbortController();
    const options = {
      name: 'labels',
      config: { ...config, stopped: stopped.signal },
      controllers: labelling,
    };
    const running = runManager(options, new AbortController().signal);
    await client.resource(configMaps, 'default').create(configMap('a'));
    await labelled(client, 'a');
    stopped.abort(new Error('the server is stopped'));
    await running;
  });

  it('one of two managers with an election works, and the other one takes over after its end', async () => {
    const { config, client } = modelServer();
    const leaders: string[] = [];
    const first = new AbortController();
    const second = new AbortController();
    const firstLeads = deferred();
    const options = (name: string): ManagerOptions => ({
      name: 'labels',
      config,
      election: { retryPeriodMs: 50, identity: name },
      controllers: (context) => {
        leaders.push(name);
        firstLeads.resolve();
        return labelling(context);
      },
    });
    const runningFirst = runManager(options('first'), first.signal);
    await firstLeads.promise;
    const runningSecond = runManager(options('second'), second.signal);
    await client.resource(configMaps, 'default').create(configMap('a'));
    await labelled(client, 'a');
    assert.deepEqual(leaders, ['first']);
    first.abort(new Error('the first has ended'));
    await runningFirst;
    await client.resource(configMaps, 'default').create(configMap('b'));
    await labelled(client, 'b');
    assert.deepEqual(leaders, ['first', 'second']);
    second.abort(new Error('the test is over'));
    await runningSecond;
  });

  it('the port of a manager reports health, readiness and metrics, and closes at its end', async () => {
    const { config, stop } = modelServer();
    const address = deferred<string>();
    const ops = { port: 0, onListening: address.resolve };
    const running = runManager({ name: 'labels', config, ops, controllers: labelling }, stop.signal);
    const url = await address.promise;
    const get = async (path: string, method = 'GET') => {
      const response = await fetch(url + path, { method });
      return `${response.status} ${await response.text()}`;
    };
    assert.deepEqual(
      await Promise.all([
        get('/healthz'),
        get('/livez?verbose'),
        get('/readyz'),
        get('/x'),
        get('/readyz', 'POST'),
      ]),
      ['200 ok', '200 ok', '200 ok', '404 not found', '405 the method must be GET'],
    );
    assert.match(await get('/metrics'), /^200 .*workqueue_depth\{name="labelling"\}/s);
    stop.abort(new Error('the test is over'));
    await running;
    await assert.rejects(fetch(`${url}/healthz`));
  });

  it('a server that fails stops the manager with its error', async () => {
    const { config, stop } = modelServer();
    let isStopped = false;
    const failing = async (): Promise<void> => {
      throw new Error('the port is in use');
    };
    const other = async (_: unknown, signal: AbortSignal): Promise<void> => {
      await aborted(signal);
      isStopped = true;
    };
    const options = { name: 'labels', config, servers: [failing, other], controllers: labelling };
    await assert.rejects(runManager(options, stop.signal), { message: 'the port is in use' });
    assert.equal(isStopped, true);
  });

  it('a manager without a signal stops when its process is asked to', async () => {
    const { config, client } = modelServer();
    const before = process.listeners('SIGTERM');
    const running = runManager({ name: 'labels', config, controllers: labelling });
    const added = process.listeners('SIGTERM').filter((listener) => !before.includes(listener));
    await client.resource(configMaps, 'default').create(configMap('a'));
    await labelled(client, 'a');
    for (const listener of added) listener('SIGTERM');
    await running;
    assert.deepEqual([added.length, process.listeners('SIGTERM')], [1, before]);
  });
});
