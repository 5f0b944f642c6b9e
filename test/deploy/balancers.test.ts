import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ClientConfig,
  ComposeCluster,
  programPath,
  type RunningProcess,
  readClientConfig,
  temporaryFolder,
} from '@orch/testkit';
import { startNginx } from './nginx.ts';

const programs = ['etcd', 'etcdctl', 'haproxy', 'wget', 'nginx'];
function obstacle(): string | false {
  if (process.platform !== 'linux') return 'other systems than Linux have one loopback address';
  const missing = programs.filter((name) => programPath(name) === undefined);
  return missing.length > 0 && `not found: ${missing.join(', ')}`;
}

/** A request over a new connection, with HTTP/1.1: its status, or the code of its failure. */
function statusOf(config: ClientConfig, server: string): Promise<number | string> {
  const { ca, cert, key } = config;
  return new Promise((resolve) => {
    const outgoing = request(new URL('/api/v1/namespaces/default', server), { agent: false, ca, cert, key });
    outgoing.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    outgoing.end();
  });
}

/** A request over a new connection with HTTP/2. */
function http2StatusOf({ ca, cert, key }: ClientConfig, server: string): Promise<number> {
  const session = connect(server, { ca, ...(cert && { cert }), ...(key && { key }) });
  return new Promise<number>((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request({ ':path': '/api/v1/namespaces/default' });
    stream.on('error', reject);
    stream.on('response', (headers) => resolve(headers[':status'] ?? 0));
    stream.resume();
  }).finally(() => session.close());
}

/** A watch over WebSocket: the type of its first event, or the status of the refusal. */
function webSocketEvent({ ca, cert, key }: ClientConfig, server: string): Promise<string> {
  const path = '/api/v1/namespaces?watch=1&fieldSelector=metadata.name=default';
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  };
  const outgoing = request(new URL(path, server), { agent: false, ca, cert, key, headers });
  return new Promise<string>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', ({ statusCode }) => resolve(`status ${statusCode}`));
    outgoing.on('upgrade', (_, socket, head) => {
      let text = String(head);
      const end = (): void => {
        const type = /"type":"(\w+)"/.exec(text)?.[1];
        if (type !== undefined) resolve(type);
      };
      socket.on('data', (chunk) => {
        text += String(chunk);
        end();
      });
      socket.on('error', reject);
      end();
    });
    outgoing.end();
  }).finally(() => outgoing.destroy());
}

describe('the configurations of balancers', { skip: obstacle() }, () => {
  const folder = temporaryFolder();
  const network = `127.${randomInt(21, 250)}.${randomInt(1, 250)}`;
  const services = ['init', 'etcd', 'replica-1', 'replica-2', 'replica-3', 'balancer'];
  const cluster = new ComposeCluster({
    folder: folder.path,
    network,
    only: services,
    edit: (_, text) => text,
    report: () => undefined,
  });
  let config: ClientConfig;
  let nginx: RunningProcess;
  const servers: Record<string, string> = {};

  before(async () => {
    await cluster.startAll(AbortSignal.timeout(60_000));
    config = readClientConfig(join(folder.path, 'volumes/orch/pki/admin.conf'));
    servers['haproxy'] = config.server;
    nginx = await startNginx({ cluster, folder: join(folder.path, 'nginx'), port: 6445 });
    servers['nginx'] = config.server.replace(':6443', ':6445');
  });
  after(async () => {
    await nginx?.stop();
    await cluster[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  for (const name of ['haproxy', 'nginx']) {
    it(`${name} passes client certificates, HTTP/1.1 and HTTP/2 to the replicas`, async () => {
      assert.equal(await statusOf(config, servers[name] ?? ''), 200);
      assert.equal(await http2StatusOf(config, servers[name] ?? ''), 200);
      assert.notEqual(
        await statusOf({ ...config, cert: undefined, key: undefined }, servers[name] ?? ''),
        200,
      );
    });

    it(`${name} passes watches over WebSocket to the replicas`, async () => {
      assert.equal(await webSocketEvent(config, servers[name] ?? ''), 'ADDED');
    });
  }

  it('while a replica drains, stops and starts again, haproxy closes no new connection, and nginx at most those of one moment', async () => {
    const statuses: Record<string, Map<number | string, number>> = { haproxy: new Map(), nginx: new Map() };
    let isOver = false;
    const clients = Object.entries(statuses).map(async ([name, counts]) => {
      while (!isOver) {
        const status = await statusOf(config, servers[name] ?? '');
        // New connections are costly: a hundred a second find a gap as well as a thousand do.
        await pause(10);
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    });
    const stopped = await cluster.process('replica-1').stop('SIGTERM');
    cluster.start('replica-1');
    await cluster.healthy('replica-1', AbortSignal.timeout(30_000));
    isOver = true;
    await Promise.all(clients);
    assert.deepEqual(stopped, { code: 0, signal: null });
    assert.deepEqual([...(statuses['haproxy']?.keys() ?? [])], [200], 'haproxy');
    const { nginx: counts = new Map() } = statuses;
    const { [200]: answered = 0, ECONNRESET: closed = 0, ...others } = Object.fromEntries(counts);
    assert.deepEqual(others, {}, 'nginx');
    // This balancer does not know that the replica drains: connections that arrive as it stops listening are closed.
    assert.ok(answered > 0 && closed <= 2, `nginx: ${answered} answered, ${closed} closed`);
  });

  it('requests are answered through either balancer after a replica was killed', async () => {
    await cluster.process('replica-2').stop('SIGKILL');
    for (const name of ['haproxy', 'nginx'])
      for (let count = 0; count < 6; count += 1)
        assert.equal(await statusOf(config, servers[name] ?? ''), 200, `${name}: request ${count}`);
  });

  it('haproxy reports its health and the state of the replicas', async () => {
    const ops = `http://${cluster.placement.address('balancer')}:8404`;
    const health = await fetch(`${ops}/healthz`);
    assert.equal(health.status, 200);
    const metrics = await (await fetch(`${ops}/metrics`)).text();
    assert.match(metrics, /haproxy_server_status\{proxy="replicas",server="replica-3",state="UP"\} 1/);
  });
});
