import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Adversary, type AdversaryTarget, acceptedDescriptors, adversaries } from '@orch/http/testing';
import { namesFor } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { launchServerProcess, type ServerProcess, startNodeAgent, temporaryFolder } from '@orch/testkit';

const REQUEST_TIMEOUT_MS = 2000;
/** The announced times: the delay (none here), the time of a request, and five seconds. */
const LIMIT_MS = REQUEST_TIMEOUT_MS + 5000;
/** A slow machine executes timers late. */
const LATE_MS = 8000;
const core = '/api/v1/namespaces/default';

const authority = testCertificate({ commonName: 'nodes', use: 'authority' });
const agentKeys = testCertificate({ commonName: 'agent', use: 'server' }, authority);

interface Cluster extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly target: AdversaryTarget;
}

/** A server with a node agent, a pod on it, and enough objects for a response that no buffer holds. */
async function cluster(): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  const work = stack.use(temporaryFolder());
  const agent = stack.use(await startNodeAgent({ names: namesFor('orch'), ...agentKeys }));
  writeFileSync(join(work.path, 'tokens'), 'secret,root,1,system:masters\n');
  writeFileSync(join(work.path, 'nodes.crt'), authority.cert);
  const server = stack.use(
    await launchServerProcess({
      args: [
        `--token-auth-file=${join(work.path, 'tokens')}`,
        `--nodeagent-certificate-authority=${join(work.path, 'nodes.crt')}`,
        `--request-timeout=${REQUEST_TIMEOUT_MS}ms`,
        '--ops-bind-address=127.0.0.1:0',
      ],
    }),
  );
  await populate(server, agent.port);
  const resources = stack.move();
  return {
    server,
    target: {
      port: server.port,
      ca: String(server.config.ca),
      largePath: `${core}/configmaps`,
      watchPath: `${core}/configmaps?watch=1&resourceVersion=0`,
      tunnelPath: `${core}/pods/p/exec?command=cat&stdin=true`,
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function populate({ client }: ServerProcess, agentPort: number): Promise<void> {
  // On a slow machine a write can exceed the short time of requests, before or after it is done.
  const create = (path: string, object: object): Promise<true> =>
    poll(`a new object in ${path}`, 30_000, async () => {
      const { status, text } = await client.post(path, object);
      if (status === 504) return undefined;
      assert.ok([201, 409].includes(status), text);
      return true;
    });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { nodeagentEndpoint: { Port: agentPort } },
  };
  await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status });
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  await create(`${core}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
  for (let i = 0; i < 8; i++)
    await create(`${core}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `c${i}` },
      data: { text: 'x'.repeat(900_000) },
    });
}

/** Waits for an answer of the server: on a slow machine, a request beside floods can exceed its time. */
const answers = ({ client }: ServerProcess): Promise<true> =>
  poll('an answer of the server', 30_000, async () =>
    (await client.get('/readyz')).status === 200 ? true : undefined,
  );

const descriptorsOf = ({ process }: ServerProcess): number =>
  readdirSync(`/proc/${process.child.pid}/fd`).length;

/** Stops the server while `attackers` hold their connections; returns the duration. */
async function stopUnder(attackers: readonly Adversary[]): Promise<{ ms: number; output: string }> {
  await using one = await cluster();
  const sockets = await Promise.all(attackers.map((adversary) => adversary.attack(one.target)));
  sockets.push(...(await attackOps(one.server)));
  try {
    await answers(one.server);
    const began = performance.now();
    const { code, signal } = await one.server.process.stop('SIGTERM');
    const output = one.server.process.output();
    assert.deepEqual({ code, signal }, { code: 0, signal: null }, output);
    return { ms: performance.now() - began, output };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Clients of the ops port that keep their connections: without a request, with half of one, without reading. */
async function attackOps({ process }: ServerProcess): Promise<Socket[]> {
  const [, port] = await process.waitFor(/http:\/\/127\.0\.0\.1:(\d+)/, 10_000);
  const requests = [
    '',
    'GET /metrics HTTP/1.1\r\nHost: h\r\n',
    'GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(50),
  ];
  return Promise.all(
    requests.map(async (text) => {
      const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true });
      await once(socket, 'connect');
      socket.on('error', () => undefined).write(text);
      return socket;
    }),
  );
}

const holding = adversaries.filter(({ holdsRequest }) => holdsRequest);
const ofWatches = ({ does }: Adversary): boolean => does.includes('a watch');

/** A listener drains beside each of them alone in the tests of the package `http`. */
const groups: readonly (readonly [clients: string, attackers: readonly Adversary[]])[] = [
  ['keep connections without a request', adversaries.filter(({ holdsRequest }) => !holdsRequest)],
  ['keep watches open', holding.filter(ofWatches)],
  ['keep other requests open', holding.filter((adversary) => !ofWatches(adversary))],
];

describe('shutdown with adversarial clients', { timeout: 240_000 }, () => {
  for (const [clients, attackers] of groups)
    it(`shutdown completes within its announced time when clients ${clients}`, async () => {
      const { ms, output } = await stopUnder(attackers);
      assert.match(output, new RegExp(`"limitMs":${LIMIT_MS}\\b`));
      assert.ok(ms < LIMIT_MS + LATE_MS, `${ms} ms`);
    });

  it('shutdown completes within its announced time with three of each adversarial client connected', async () => {
    const { ms } = await stopUnder([...adversaries, ...adversaries, ...adversaries]);
    assert.ok(ms < LIMIT_MS + LATE_MS, `${ms} ms`);
  });
});

describe('resources of a running server', { timeout: 240_000 }, () => {
  it('the server releases all file descriptors of adversarial clients after they disconnect', async () => {
    await using one = await cluster();
    const baseline =
      descriptorsOf(one.server) - acceptedDescriptors(one.target.port, one.server.process.child.pid);
    for (let round = 0; round < 3; round++) {
      const sockets: Socket[] = await Promise.all(
        adversaries.map((adversary) => adversary.attack(one.target)),
      );
      await answers(one.server);
      for (const socket of sockets) socket.destroy();
    }
    one.server.client[Symbol.dispose]();
    // The limit of the test is the deadline.
    while (descriptorsOf(one.server) > baseline) await pause(20);
  });
});
