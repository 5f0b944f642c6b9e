import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');

/** The beginning of each program: a client of the server in the first argument. Its modules are at `root`. */
const prelude = `
import { builtinResources, controller, createClient, informerFactory, informerSource, leaderElector, loadClientConfig, loadConfig,
  networkTransport, retryOnConflict, runControllers, waitFor } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { systemEnv } from '@orch/machinery/env';
const files = [process.argv.at(-1) ?? ''];
const signal = new AbortController().signal;
`;

const connect = `
const names = namesFor('orch');
const env = systemEnv();
const settings = await loadClientConfig({ env, names, files, environment: process.env });
const client = createClient({ transport: networkTransport(settings, env), names, env, userAgent: 'test' });
const { configmaps } = builtinResources(names).core.v1;
const maps = client.resource(configmaps, 'default');
`;

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program against a server; the program is killed when `until` resolves, else it has to end by itself. */
async function run(text: string, server: ApiServer, until?: Promise<unknown>): Promise<Outcome> {
  using folder = temporaryFolder();
  const config = join(folder.path, 'config');
  writeFileSync(config, configOf(server.url));
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript'];
  const child = spawn(process.execPath, [...flags, '-e', prelude + text, '--', config], {
    cwd: root,
    env: { ...process.env, ORCHCONFIG: config },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      texts[name] += chunk;
    });
  const closed = once(child, 'close') as Promise<[number | null]>;
  await Promise.race([closed, until ?? closed]);
  if (child.exitCode === null && until !== undefined) child.kill('SIGKILL');
  const [code] = await closed;
  return { code, out: texts.stdout, err: texts.stderr };
}

const configOf = (server: string): string =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [{ name: 'k', cluster: { server } }],
    users: [{ name: 'u', user: { token: 't' } }],
  });

interface ApiServer extends AsyncDisposable {
  readonly url: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that breaks its first connections, as if it were down, and then answers. */
async function serve(answer: Answer, { broken = 0 } = {}): Promise<ApiServer> {
  let left = broken;
  const server = createServer(answer);
  server.on('connection', (socket) => {
    if (left-- > 0) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const map = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', namespace: 'default', resourceVersion: '7' },
};
const send = (
  response: ServerResponse,
  code: number,
  body: object,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};
const failure = (code: number, reason: string): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: reason,
  reason,
  code,
});

/** Lists one object; watches of it stay open. */
const lists: Answer = (request, response) => {
  if (request.url?.includes('watch=') === true)
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  else
    send(response, 200, {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '7' },
      items: [map],
    });
};

/** Answers that differ from the first request to the ones after it. */
const inTurn = (first: Answer, then: Answer): Answer => {
  let isFirst = true;
  return (request, response) => {
    (isFirst ? first : then)(request, response);
    isFirst = false;
  };
};

const ok: Answer = (_request, response) => send(response, 200, map);

describe('process exit of a program that uses the client library', {
  timeout: 180_000,
  concurrency: 2,
}, () => {
  it('a program does not exit while a request waits for its Retry-After time', async () => {
    const busy: Answer = (_, response) =>
      send(response, 429, failure(429, 'TooManyRequests'), { 'retry-after': '1' });
    await using server = await serve(inTurn(busy, ok));
    const { code, out, err } = await run(
      `${connect} console.log((await maps.get('a')).metadata.name);`,
      server,
    );
    assert.deepEqual({ code, out }, { code: 0, out: 'a\n' }, err);
  });

  it('a program does not exit while a conflicting write waits for its next attempt', async () => {
    const conflict: Answer = (_, response) => send(response, 409, failure(409, 'Conflict'));
    await using server = await serve(inTurn(conflict, ok));
    const text = `${connect}
const done = await retryOnConflict(env, () => maps.patch.merge('a', { data: {} }), signal);
console.log(done.metadata.name);`;
    const { code, out, err } = await run(text, server);
    assert.deepEqual({ code, out }, { code: 0, out: 'a\n' }, err);
  });

  it('a program does not exit while waitFor waits for an unavailable server', async () => {
    await using server = await serve(lists, { broken: 5 });
    const text = `${connect}
const wait = { client, env, resource: configmaps, namespace: 'default', name: 'a', timeoutMs: 40_000 };
const found = await waitFor({ ...wait, is: (object) => object !== undefined }, signal);
console.log(found?.metadata.name);`;
    const { code, out, err } = await run(text, server);
    assert.deepEqual({ code, out }, { code: 0, out: 'a\n' }, err);
  });

  it('a program does not exit before the deadline of waitFor when the server stays unavailable', async () => {
    await using server = await serve(lists, { broken: Number.POSITIVE_INFINITY });
    const text = `${connect}
const wait = { client, env, resource: configmaps, namespace: 'default', name: 'a', timeoutMs: 1500 };
await waitFor({ ...wait, is: (object) => object !== undefined }, signal).catch((error) => console.log(error.name));`;
    const { code, out, err } = await run(text, server);
    assert.deepEqual({ code, out }, { code: 0, out: 'DeadlineExceeded\n' }, err);
  });

  it('a program does not exit while a leader election candidate waits for an unavailable server', async () => {
    const served = Promise.withResolvers<void>();
    const hear: Answer = (_, response) => {
      served.resolve();
      send(response, 404, failure(404, 'NotFound'));
    };
    await using server = await serve(hear, { broken: 8 });
    const text = `${connect}
const lease = { namespace: 'default', name: 'l', identity: 'me', retryPeriodMs: 200 };
await leaderElector({ client, env, ...lease }).run(async () => undefined, signal);`;
    const { err, code } = await run(text, server, served.promise);
    assert.equal(code, null, err);
  });

  it('the program of docs/client.md does not exit while the server is unavailable', async () => {
    const served = Promise.withResolvers<void>();
    const hear: Answer = (request, response) => {
      served.resolve();
      lists(request, response);
    };
    await using server = await serve(hear, { broken: 6 });
    const [, shown = ''] =
      /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs', 'client.md'), 'utf8')) ?? [];
    assert.match(shown, /runControllers/);
    const { code, err } = await run(shown, server, served.promise);
    assert.equal(code, null, `ended before the server was there: ${err}`);
  });

  it('a program exits when its work is done, although idle connections are open', async () => {
    await using server = await serve(ok);
    const { code, out, err } = await run(
      `${connect} console.log((await maps.get('a')).metadata.name);`,
      server,
    );
    assert.deepEqual({ code, out }, { code: 0, out: 'a\n' }, err);
  });
});
