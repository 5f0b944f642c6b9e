import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import { runCommandLine } from '@orch/orchctl/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { FaultyFront } from './faulty-front.ts';

/** A command that waits, and how the change that it waits for is recognized. */
interface Waiting {
  readonly argv: string;
  readonly printed: RegExp;
  /** It runs until it is interrupted. */
  readonly isEndless?: boolean;
}

const waits: readonly Waiting[] = [
  { argv: 'wait --for=delete cm/gone --timeout=120s', printed: /^configmap\/gone condition met\n$/ },
  { argv: 'wait --for=create cm/new --timeout=120s', printed: /^configmap\/new condition met\n$/ },
  { argv: 'wait --for=condition=Ready pod/p --timeout=120s', printed: /^pod\/p condition met\n$/ },
  {
    argv: 'wait --for=jsonpath={.data.x}=2 cm/changed --timeout=120s',
    printed: /^configmap\/changed condition met\n$/,
  },
  { argv: 'rollout status deployment/web --timeout=120s', printed: /successfully rolled out\n$/ },
  { argv: 'delete cm/finalized --timeout=120s', printed: /^configmap "finalized" deleted.*\n$/ },
  { argv: 'get cm -w -o jsonpath={.metadata.name}={.data.x};', printed: /changed=2;/, isEndless: true },
  { argv: 'get pods -w', printed: /p .*\np /, isEndless: true },
  { argv: 'get cm --watch-only -o name', printed: /configmap\/changed\n/, isEndless: true },
  { argv: 'events -w', printed: /Happened/, isEndless: true },
];

const api = '/api/v1/namespaces/default';
const web = '/apis/apps/v1/namespaces/default/deployments';
const containers = [{ name: 'c', image: 'i' }];

/** Creates what the commands wait for. */
async function prepare({ client }: LaunchedServer): Promise<void> {
  const create = async (path: string, body: object): Promise<void> => {
    const { status, text } = await client.send('POST', path, { body });
    assert.equal(status, 201, text);
  };
  const metadata = (name: string) => ({ metadata: { name, namespace: 'default' } });
  for (const name of ['gone', 'changed'])
    await create(`${api}/configmaps`, { ...metadata(name), data: { x: '1' } });
  const finalized = { name: 'finalized', finalizers: ['example.com/wait'] };
  await create(`${api}/configmaps`, { metadata: finalized });
  await create(`${api}/pods`, { ...metadata('p'), spec: { containers } });
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers } };
  await create(web, { ...metadata('web'), spec: { selector: { matchLabels: labels }, template } });
}

/** Makes the changes that the commands wait for. */
async function change({ client }: LaunchedServer): Promise<void> {
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { status, text } = await client.send(method, path, { body, contentType });
    assert.ok(status < 300, text);
  };
  await send('DELETE', `${api}/configmaps/gone`, {});
  await send('POST', `${api}/configmaps`, { metadata: { name: 'new' } });
  await send('PATCH', `${api}/configmaps/changed`, { data: { x: '2' } });
  await send('PATCH', `${api}/configmaps/finalized`, { metadata: { finalizers: null } });
  const conditions = [{ type: 'Ready', status: 'True' }];
  await send('PATCH', `${api}/pods/p/status`, { status: { conditions } });
  const replicas = { replicas: 1, updatedReplicas: 1, availableReplicas: 1, readyReplicas: 1 };
  await send('PATCH', `${web}/web/status`, { status: { observedGeneration: 1, ...replicas } });
  const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
  await send('POST', `${api}/events`, { metadata: { name: 'e' }, involvedObject, reason: 'Happened' });
}

/** Deletes everything that the test created. */
async function clean({ client }: LaunchedServer): Promise<void> {
  for (const path of [`${api}/configmaps`, `${api}/pods?gracePeriodSeconds=0`, `${api}/events`, web])
    await client.send('DELETE', path, {});
}

/** Runs every command until it watches, then the fault; they must end as if nothing had happened. */
async function interrupted(config: string, fault: () => Promise<void>): Promise<void> {
  const running = waits.map(({ argv, printed, isEndless = false }) => {
    const [abort, state] = [new AbortController(), { log: '' }];
    const ended = runCommandLine([...argv.split(' '), `--kubeconfig=${config}`, '-v=6'], {
      signal: abort.signal,
      onErrorOutput(text) {
        state.log = text;
      },
      onOutput(text) {
        if (isEndless && printed.test(text)) abort.abort();
      },
    });
    return { argv, printed, isEndless, state, ended };
  });
  await until(() => running.every(({ state }) => state.log.includes('watch=true')));
  await fault();
  for (const { argv, printed, isEndless, ended } of running) {
    const { status, out, err } = await ended;
    assert.match(out, printed, `${argv}: ${err}`);
    if (!isEndless) assert.equal(status, 0, `${argv}: ${err}`);
    assert.doesNotMatch(err, /repeat a write/);
  }
}

describe('commands that wait, over faults of a real server', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'interruptions-'));
  const [dataDir, certDir] = [join(folder, 'data'), join(folder, 'certs')];
  const config = join(folder, 'front.conf');
  const launch = (port = 0): Promise<LaunchedServer> =>
    launchServer({ naming: 'kubernetes', dataDir, certDir, port });
  let server: LaunchedServer;
  let front: FaultyFront;
  before(async () => {
    server = await launch();
    front = await FaultyFront.listen(server.config);
    const entries = {
      clusters: [{ name: 'front', cluster: { server: front.url } }],
      contexts: [{ name: 'front', context: { cluster: 'front', namespace: 'default' } }],
    };
    const head = { apiVersion: 'v1', kind: 'Config', 'current-context': 'front' };
    writeFileSync(config, JSON.stringify({ ...head, ...entries }));
  });
  after(async () => {
    await front[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [what, code] of [
    ['lost connections', undefined],
    ['answers 410, which need another list,', 410],
    ['answers 429', 429],
    ['answers 500', 500],
    ['answers 502', 502],
    ['answers 503', 503],
    ['answers 504', 504],
  ] as const)
    it(`wait, rollout status, delete, get -w and events -w resume after ${what} and miss no change`, async () => {
      await prepare(server);
      await interrupted(config, async () => {
        front.cut();
        await change(server);
        front.restore(code === undefined ? [] : waits.flatMap(() => [code, code]));
      });
      await clean(server);
    });

  it('wait, rollout status, delete, get -w and events -w resume after a restart of the server on its port', async () => {
    await prepare(server);
    const { port } = server;
    await interrupted(config, async () => {
      await server[Symbol.asyncDispose]();
      server = await launch(port);
      await change(server);
    });
    await clean(server);
  });

  it('a wait whose server does not come back ends at its timeout, with a line about the interruption', async () => {
    await prepare(server);
    let log = '';
    const onErrorOutput = (text: string): void => {
      log = text;
    };
    const argv = `wait --for=create cm/never --timeout=5s --kubeconfig=${config} -v=6`.split(' ');
    const ended = runCommandLine(argv, { onErrorOutput });
    await until(() => log.includes('watch=true'));
    front.cut();
    const { status, err } = await ended;
    front.restore();
    assert.equal(status, 1);
    assert.match(err, /the watch is interrupted, still trying: .*\n/);
    assert.match(err, /error: timed out waiting for the condition on configmaps\/never\n$/);
    await clean(server);
  });

  it('a refusal that another attempt cannot change ends a wait', async () => {
    let log = '';
    const onErrorOutput = (text: string): void => {
      log = text;
    };
    const argv = `wait --for=create cm/never --timeout=60s --kubeconfig=${config} -v=6`.split(' ');
    const ended = runCommandLine(argv, { onErrorOutput });
    await until(() => log.includes('watch=true'));
    front.cut();
    front.restore([403]);
    const { status, err } = await ended;
    assert.equal(status, 1);
    assert.match(err, /Error from server \(Injected\): injected/);
  });
});
