import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { connectionsTo } from '@orch/auth';
import { namesFor } from '@orch/machinery';
import { systemClock } from '@orch/machinery/env';
import { bodyPieces, Connections, defaultConnectionLimits, noBody } from '@orch/outbound';
import { testCertificate } from '@orch/pki/x509/testing';
import { start } from '@orch/testkit';
import { bundleKilobytes, type Comparison, importMillis, library } from './measure.ts';

const REQUESTS = 4000;
const IN_FLIGHT = 16;
const ROUNDS = 8;

const payload = Buffer.from(
  JSON.stringify({
    apiVersion: namesFor('kubernetes').apiVersion('admission', 'v1'),
    kind: 'AdmissionReview',
    request: { uid: 'b1946ac9', object: { data: { text: 'x'.repeat(1024) } } },
  }),
);
const headers = { 'content-type': 'application/json', 'content-length': String(payload.length) };

type Call = () => Promise<unknown>;

/** The calls of one client: a review that is posted, and an answer that is passed on in pieces. */
interface Client extends Disposable {
  readonly name: string;
  readonly post: Call;
  readonly get: Call;
}

/** The server, and the authority of its certificate. */
interface Reviews {
  readonly url: URL;
  readonly ca: string;
}

/** Webhooks are called with deadlines and limits of the answer; the aggregation layer passes answers on. */
function ownClient({ url, ca }: Reviews): Client {
  const { signal } = new AbortController();
  const service = {
    url,
    ca,
    serverName: undefined,
    isUnverified: false,
    identity: undefined,
    authorization: undefined,
  };
  const webhooks = connectionsTo(service, { clock: systemClock, maxSockets: IN_FLIGHT });
  const proxied = new Connections({
    clock: systemClock,
    limits: defaultConnectionLimits,
    dial: async (protocols) => {
      const { hostname: host, port } = url;
      const socket = connect({
        host,
        port: Number(port),
        servername: host,
        ca,
        ALPNProtocols: [...protocols],
      });
      await once(socket, 'secureConnect');
      return socket;
    },
  });
  const upgrade = undefined;
  const read = {
    method: 'GET',
    target: '/last',
    headers: { host: url.host },
    bodyLength: 0,
    body: noBody,
    upgrade,
  };
  return {
    name: 'ours',
    post: () => webhooks.post({ payload }, AbortSignal.any([signal])),
    async get() {
      const answer = await proxied.request(read, AbortSignal.any([signal]));
      if (answer.kind !== 'answer') return answer;
      let bytes = 0;
      for await (const piece of bodyPieces(answer.body)) bytes += piece.length;
      answer.close();
      return bytes;
    },
    [Symbol.dispose]() {
      webhooks[Symbol.dispose]();
      proxied.retire();
    },
  };
}

/** Minimal requests over node:https. */
function platformClient({ url, ca }: Reviews): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT, ca });
  const call = (options: RequestOptions, target: URL, body?: Buffer): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const outgoing = request(target, { ...options, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks)));
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return {
    name: 'node:https',
    post: () => call({ method: 'POST', headers }, url, payload),
    get: () => call({}, new URL('/last', url)),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

function undiciClient({ url, ca }: Reviews): Client {
  const { Pool } = library('undici');
  const pool = new Pool(url.origin, { connections: IN_FLIGHT, connect: { ca } });
  const call = async (path: string, options: object): Promise<ArrayBuffer> =>
    (await pool.request({ path, ...options })).body.arrayBuffer();
  return {
    name: 'undici',
    post: () => call(url.pathname, { method: 'POST', headers, body: payload }),
    get: () => call('/last', { method: 'GET' }),
    [Symbol.dispose]: () => void pool.close(),
  };
}

/** CPU of this process for a POST of a review of 1 KiB, and for a GET of one, over kept TLS connections. */
export async function httpClients(): Promise<readonly Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-http-clients-'));
  const authority = testCertificate({ commonName: 'authority', use: 'authority' });
  const pair = testCertificate({ commonName: 'reviews', use: 'server', hosts: ['localhost'] }, authority);
  const files = [join(folder, 'cert'), join(folder, 'key')] as const;
  writeFileSync(files[0], pair.cert);
  writeFileSync(files[1], pair.key);
  const program = join(import.meta.dirname, '..', 'lib', 'review-server.ts');
  await using server = start(process.execPath, [program, ...files]);
  const [, port] = await server.waitFor(/"port":(\d+)/, 30_000);
  const reviews = { url: new URL(`https://localhost:${port}/review`), ca: authority.cert };
  using ours = ownClient(reviews);
  using platform = platformClient(reviews);
  using undici = undiciClient(reviews);
  const clients = [ours, platform, undici];
  const posts = await best(clients.map(({ name, post }) => [name, post]));
  const gets = await best(clients.map(({ name, get }) => [name, get]));
  return [
    ...compared('webhook: POST a review of 1 KiB over TLS and HTTP/1.1, 16 in flight', posts),
    ...compared('proxy: GET an answer of 1 KiB over TLS and HTTP/1.1, 16 in flight', gets),
    { what: 'load the library', ours: 0, library: 'undici', theirs: importMillis('undici'), unit: 'ms' },
    {
      what: 'size of the client, minified',
      ours: 0,
      library: 'undici',
      theirs: bundleKilobytes('undici', 'Pool'),
      unit: 'kB',
    },
  ];
}

const compared = (what: string, micros: ReadonlyMap<string, number>): readonly Comparison[] =>
  ['node:https', 'undici'].map((name) => ({
    what,
    ours: micros.get('ours') ?? 0,
    library: name,
    theirs: micros.get(name) ?? 0,
    unit: 'µs',
  }));

/** CPU in µs per call by client: the best of several rounds, in which the clients take turns. */
async function best(calls: readonly (readonly [string, Call])[]): Promise<ReadonlyMap<string, number>> {
  const micros = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, call] of calls) {
      const before = process.cpuUsage();
      let left = REQUESTS;
      const worker = async (): Promise<void> => {
        while (left-- > 0) await call();
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
      const { user, system } = process.cpuUsage(before);
      micros.set(name, Math.min(micros.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / REQUESTS));
    }
  return micros;
}
