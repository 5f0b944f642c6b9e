import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCommandLine } from '@orch/orchctl/testing';
import { findEtcd, startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, launchServerProcess, temporaryFolder } from '@orch/testkit';

const REPLICAS = 3;
const withoutEtcd = findEtcd() === undefined && 'etcd is not installed';

/** A balancer that passes each request to the next replica, as the administrator. */
class Balancer implements AsyncDisposable {
  readonly #server: Server;
  readonly #replicas: readonly { readonly server: LaunchedServer; readonly agent: Agent }[];
  #next = 0;
  /** The replica of every request for metrics. */
  readonly scraped: number[] = [];
  /** Chooses the replica of a request; in turn when absent. */
  choose: ((count: number) => number) | undefined;

  private constructor(servers: readonly LaunchedServer[]) {
    this.#replicas = servers.map((server) => {
      const { cert, key, ca } = server.config;
      return { server, agent: new Agent({ cert, key, ca, keepAlive: false }) };
    });
    this.#server = createServer((incoming, outgoing) => this.#pass(incoming, outgoing));
  }

  static async start(servers: readonly LaunchedServer[]): Promise<Balancer> {
    const balancer = new Balancer(servers);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const count = this.#next++;
    const index = (this.choose?.(count) ?? count) % this.#replicas.length;
    if (incoming.url === '/metrics') this.scraped.push(index);
    const replica = this.#replicas[index];
    assert.ok(replica);
    const passed = httpsRequest(`${replica.server.url}${incoming.url}`, {
      agent: replica.agent,
      method: incoming.method,
      headers: incoming.headers,
    });
    passed.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describe('orchctl top behind a balancer with three replicas', { skip: withoutEtcd }, () => {
  const stack = new AsyncDisposableStack();
  let servers: readonly LaunchedServer[];
  let balancer: Balancer;
  before(async () => {
    const etcd = stack.use(await startEtcd());
    const { path: certDir } = stack.use(temporaryFolder());
    const started: LaunchedServer[] = [];
    for (let i = 0; i < REPLICAS; i++)
      started.push(stack.use(await launchServerProcess({ etcd: etcd.endpoints, certDir })));
    servers = started;
    balancer = stack.use(await Balancer.start(servers));
  });
  after(() => stack.disposeAsync());

  const top = () =>
    runCommandLine(['top', '-o', 'json', '--interval=100ms', `--server=${balancer.url}`], {
      folder: tmpdir(),
      homeFolder: join(tmpdir(), 'no-such-home'),
    });

  it('orchctl top behind a balancer with three replicas compares two reads of the same replica, and names it and all others', async () => {
    balancer.choose = undefined;
    balancer.scraped.length = 0;
    const { status, out, err } = await top();
    assert.equal(status, 0, err);
    const { replica, replicas, requests, upSeconds } = JSON.parse(out);
    assert.ok(replica !== '' && !replica.startsWith('started '), out);
    assert.equal(replicas.length, REPLICAS, out);
    const last = balancer.scraped.at(-1);
    assert.equal(balancer.scraped.filter((one) => one === last).length, 2, String(balancer.scraped));
    assert.ok(upSeconds >= 0 && upSeconds < 600, out);
    for (const { perSecond } of requests.byVerb) assert.ok(perSecond >= 0, out);
  });

  it('orchctl top names the replica when the balancer changes it between two snapshots', async () => {
    const named = new Set<string>();
    for (let i = 0; i < REPLICAS; i++) {
      balancer.choose = () => i;
      const { status, out, err } = await top();
      assert.equal(status, 0, err);
      named.add(JSON.parse(out).replica);
    }
    assert.equal(named.size, REPLICAS, [...named].join());
  });
});
