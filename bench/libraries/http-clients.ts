import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionsTo } from '@orch/auth';
import { namesFor } from '@orch/machinery';
import { systemClock } from '@orch/machinery/env';
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

type Post = () => Promise<unknown>;

/** A minimal POST over node:https. */
function platformPost(url: URL, ca: string): { readonly post: Post; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT, ca });
  const post = (): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks)));
      });
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  return { post, close: () => agent.destroy() };
}

/** CPU of this process for a POST of a review of 1 KiB over kept TLS connections, with a deadline and a limit of the answer. */
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
  const url = new URL(`https://localhost:${port}/review`);
  const { signal } = new AbortController();

  const service = {
    url,
    ca: authority.cert,
    serverName: undefined,
    isUnverified: false,
    identity: undefined,
    authorization: undefined,
  };
  using own = connectionsTo(service, { clock: systemClock, maxSockets: IN_FLIGHT });
  const platform = platformPost(url, authority.cert);
  const { Pool } = library('undici');
  const pool = new Pool(url.origin, { connections: IN_FLIGHT, connect: { ca: authority.cert } });
  const posts: readonly (readonly [string, Post])[] = [
    ['ours', () => own.post({ payload }, AbortSignal.any([signal]))],
    ['node:https', platform.post],
    [
      'undici',
      async () => {
        const { body } = await pool.request({ path: url.pathname, method: 'POST', headers, body: payload });
        return body.arrayBuffer();
      },
    ],
  ];
  const micros = await best(posts);
  platform.close();
  await pool.close();
  const what = 'POST a review of 1 KiB over TLS and HTTP/1.1, 16 in flight';
  const ours = micros.get('ours') ?? 0;
  return [
    ...['node:https', 'undici'].map(
      (name): Comparison => ({
        what,
        ours,
        library: name,
        theirs: micros.get(name) ?? 0,
        unit: 'µs',
      }),
    ),
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

/** CPU in µs per POST by client: the best of several rounds, in which the clients take turns. */
async function best(posts: readonly (readonly [string, Post])[]): Promise<ReadonlyMap<string, number>> {
  const micros = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, post] of posts) {
      const before = process.cpuUsage();
      let left = REQUESTS;
      const worker = async (): Promise<void> => {
        while (left-- > 0) await post();
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
      const { user, system } = process.cpuUsage(before);
      micros.set(name, Math.min(micros.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / REQUESTS));
    }
  return micros;
}
