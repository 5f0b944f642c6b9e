import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ApiClient, launchServerProcess, type ServerProcess } from '@orch/testkit';

const WATCHES = 10_000;
const A_CONNECTION = 250;
/** Memory of an idle watch, with its share of a connection. */
const MAX_BYTES_A_WATCH = 40 * 1024;
const configMaps = '/api/v1/namespaces/default/configmaps';

const rssBytes = (pid: number): number => {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) * 1024;
};

/** Watches of one user, and the events that they have received. */
class Horde implements Disposable {
  readonly #sessions: ClientHttp2Session[] = [];
  readonly statuses = new Map<number, number>();
  bytes = 0;
  events = 0;

  /** Opens watches over one more connection; resolves when all are answered. */
  async open(server: ServerProcess, token: string, count: number): Promise<void> {
    const session = connect(server.url, { ca: server.config.ca });
    session.on('error', () => undefined);
    this.#sessions.push(session);
    await Promise.all(Array.from({ length: count }, () => this.#watch(session, token)));
  }

  #watch(session: ClientHttp2Session, token: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const stream = session.request({
        ':path': `${configMaps}?watch=true&resourceVersion=0`,
        authorization: `Bearer ${token}`,
      });
      stream.on('error', reject);
      stream.on('response', ({ ':status': status = 0 }) => {
        this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
        resolve();
      });
      stream.on('data', (chunk: Buffer) => {
        this.bytes += chunk.length;
        // An event is one line, and contains no line ends: they are escaped in JSON.
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.events++;
      });
    });
  }

  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.destroy();
  }
}

/** Less than the time limit of the suite, so that a failure says how far it came. */
const DEADLINE_MS = 90_000;

describe('ten thousand watches of one user', { timeout: 120_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-watches-'));
  let server: ServerProcess;
  let alice: ApiClient;
  let pid = 0;

  before(async () => {
    writeFileSync(join(work, 'tokens'), 'hunter2,mallory,1\nhunter3,alice,2\n');
    server = await launchServerProcess({ args: [`--token-auth-file=${join(work, 'tokens')}`] });
    alice = new ApiClient({ ...server.config, cert: undefined, key: undefined, token: 'hunter3' });
    pid = server.process.child.pid ?? 0;
  });
  after(async () => {
    alice[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  it('ten thousand watches of one user use bounded memory each and do not block reads and writes of others', async () => {
    await alice.post(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } });
    const before = rssBytes(pid);
    using horde = new Horde();
    for (let open = 0; open < WATCHES; open += A_CONNECTION) {
      await horde.open(server, 'hunter2', A_CONNECTION);
      const read = await alice.get(`${configMaps}/one`);
      assert.equal(read.status, 200, read.text);
    }
    const refused = horde.statuses.get(429) ?? 0;
    assert.equal((horde.statuses.get(200) ?? 0) + refused, WATCHES, JSON.stringify([...horde.statuses]));
    const grown = rssBytes(pid) - before;
    assert.ok(grown < WATCHES * MAX_BYTES_A_WATCH, `${grown} bytes for ${WATCHES} watches`);

    // Every watch first receives the existing object, possibly after its response head.
    const watching = WATCHES - refused;
    const received = async (events: number): Promise<void> => {
      const deadline = Date.now() + DEADLINE_MS;
      while (horde.events < events && Date.now() < deadline)
        assert.equal((await alice.get(`${configMaps}/one`)).status, 200);
      assert.equal(horde.events, events);
    };
    await received(watching);
    const write = async (): Promise<void> => {
      const written = await alice.put(`${configMaps}/one`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'one' },
        data: { a: 'b', n: String(horde.events) },
      });
      assert.equal(written.status, 200, written.text);
    };
    await write();
    await received(2 * watching);

    // Writes are counted by their watchers, which determine their width in flow control. A watcher counts when it is
    // up to date, which may be after its client has received the object.
    const counted = async (): Promise<number> => {
      const { text } = await server.client.get('/metrics');
      return Number(/watch_count_samples_sum\{flow_schema="global-default",[^}]*\} (\d+)/.exec(text)?.[1]);
    };
    const deadline = Date.now() + DEADLINE_MS;
    let last = 0;
    while (last < watching && Date.now() < deadline) {
      const earlier = await counted();
      await write();
      last = (await counted()) - earlier;
    }
    assert.equal(last, watching);
    const metrics = (await server.client.get('/metrics')).text;
    assert.match(metrics, /apiserver_longrunning_requests\{[^}]*resource="configmaps"[^}]*\} \d+/);
  });

  it('ten thousand watches release their memory when their connections end', async () => {
    const deadline = Date.now() + DEADLINE_MS;
    const open = async (): Promise<number> => {
      const { text } = await server.client.get('/metrics');
      return Number(
        /apiserver_longrunning_requests\{[^}]*resource="configmaps"[^}]*\} (\d+)/.exec(text)?.[1],
      );
    };
    while ((await open()) > 0 && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await open(), 0);
    assert.equal((await alice.get(`${configMaps}/one`)).status, 200);
  });
});
