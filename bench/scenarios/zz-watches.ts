import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:tls';
import { type BenchContext, type Subject, withBody, withoutBody } from '../lib/context.ts';
import { againstFloor, measure, type Row } from '../lib/measure.ts';
import { configMapOf, podOf } from '../lib/pods.ts';
import { drive, type RawTarget } from '../lib/raw-client.ts';

const watchers = 500;
const updates = 200;

/** Counts bytes of all open watches, so that a round ends when every watcher has got its event. */
class Audience implements Disposable {
  #bytes = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #wake: (() => void) | undefined;
  readonly #closers: (() => void)[] = [];

  received(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= this.#wanted) this.#wake?.();
  }

  onDispose(close: () => void): void {
    this.#closers.push(close);
  }

  /** Resolves when `bytes` more have arrived since the last reset. */
  async until(bytes: number): Promise<void> {
    this.#wanted = bytes;
    if (this.#bytes < bytes) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#bytes = 0;
    this.#wanted = Number.POSITIVE_INFINITY;
  }

  reset(): void {
    this.#bytes = 0;
  }

  total(): number {
    return this.#bytes;
  }

  [Symbol.dispose](): void {
    for (const close of this.#closers) close();
  }
}

async function openOverTls(target: RawTarget, paths: readonly string[], audience: Audience): Promise<void> {
  for (const path of paths) {
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ ...target, servername: 'localhost', rejectUnauthorized: false }, () => {
        socket.write(withoutBody(path));
      });
      socket.once('data', () => {
        socket.on('data', (chunk: Buffer) => audience.received(chunk.length));
        resolve();
      });
      socket.once('error', reject);
      audience.onDispose(() => socket.destroy());
    });
  }
}

async function openOverHttp2(
  target: RawTarget,
  path: string,
  connections: number,
  audience: Audience,
): Promise<void> {
  for (let c = 0; c < connections; c += 1) {
    const { host, port, ...credentials } = target;
    const session = connectHttp2(`https://${host}:${port}`, { ...credentials, rejectUnauthorized: false });
    audience.onDispose(() => session.destroy());
    for (let s = 0; s < watchers / connections; s += 1) {
      await new Promise<void>((resolve, reject) => {
        const stream = session.request({ ':path': path });
        stream.on('error', reject);
        stream.on('response', () => resolve());
        stream.on('data', (chunk: Buffer) => audience.received(chunk.length));
      });
    }
  }
}

/** CPU per delivered event: `updates` rounds of one event to everybody, each awaited. */
async function rounds(
  pid: number,
  audience: Audience,
  deliveries: number,
  publish: (round: number) => Promise<void>,
): Promise<number> {
  audience.reset();
  await publish(0);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const bytesPerRound = audience.total() - 16 * deliveries;
  audience.reset();
  const result = await measure(pid, async () => {
    for (let round = 1; round <= updates; round += 1) {
      await publish(round);
      await audience.until(bytesPerRound); if (round%50===0) console.error('round', round, bytesPerRound, audience.total());
    }
    return updates;
  });
  return result.cpuPerOp / deliveries;
}

async function publishTo(
  subject: Subject,
  path: string,
  method: string,
  body: (round: number) => Buffer | string,
  contentType = 'application/json',
) {
  return async (round: number): Promise<void> => {
    let left: Buffer | undefined = withBody(method, path, body(round), contentType);
    await drive(subject.target, 1, () => {
      const now = left;
      left = undefined;
      return now;
    });
  };
}

/** One update to 500 watchers over TLS and HTTP/2, and 500 watchers with a different selector each. */
export async function watches(context: BenchContext): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const subject = await context.serverOnEtcd('/bench-watches');
  const path = '/api/v1/namespaces/default/configmaps';
  const seed = await subject.server.client.post(path, configMapOf('watched'));
  if (seed.status !== 201) throw new Error(seed.text);
  const publish = await publishTo(subject, `${path}/watched`, 'PUT', (round) =>
    JSON.stringify(configMapOf('watched', round)),
  );
  const line = Buffer.from(`{"type":"MODIFIED","object":${JSON.stringify(seed.json)}}\n`);

  for (const protocol of ['h1', 'h2'] as const) {
    const floor = await context.floor(protocol);
    const results: number[] = [];
    for (const [target, watchPath, pid, send] of [
      [
        subject.target,
        `${path}?watch=1&resourceVersion=${(seed.json as { metadata: { resourceVersion: string } }).metadata.resourceVersion}`,
        subject.pid,
        publish,
      ],
      [floor.target, '/watch', floor.pid, undefined],
    ] as const) {
      using audience = new Audience();
      if (protocol === 'h1')
        await openOverTls(
          target,
          Array.from({ length: watchers }, () => watchPath),
          audience,
        );
      else await openOverHttp2(target, watchPath, 5, audience);
      console.error(protocol, 'open', watchPath); results.push(
        await rounds(pid, audience, watchers, send ?? (() => publishToFloor(floor.target, protocol, line))),
      );
    }
    const [ours = 0, bare = 0] = results;
    const what =
      protocol === 'h1'
        ? `one update to ${watchers} watchers, a TLS connection each`
        : `one update to ${watchers} watchers over 5 HTTP/2 connections`;
    rows.push(againstFloor(what, 'µs CPU per event', ours, bare, 1.5));
  }

  using audience = new Audience();
  const pods = '/api/v1/namespaces/default/pods';
  const pod = podOf(1);
  await subject.server.client.post(pods, pod);
  const podPaths = Array.from(
    { length: watchers },
    (_, i) => `/api/v1/pods?watch=1&resourceVersion=0&fieldSelector=spec.nodeName%3Dnode-${i}`,
  );
  await openOverTls(subject.target, podPaths, audience);
  const publishPod = await publishTo(
    subject,
    `${pods}/pod-000001`,
    'PATCH',
    (round) => `{"metadata":{"annotations":{"round":"${round}"}}}`,
    'application/merge-patch+json',
  );
  const patch = async (round: number): Promise<void> => publishPod(round);
  const perUpdate = await rounds(subject.pid, audience, 1, patch);
  rows.push({
    what: `${watchers} watchers with a different field selector each, one update`,
    unit: 'µs CPU',
    value: perUpdate,
    target: 250,
  });
  return rows;
}

async function publishToFloor(target: RawTarget, protocol: 'h1' | 'h2', line: Buffer): Promise<void> {
  if (protocol === 'h1') {
    let left: Buffer | undefined = withBody('POST', '/event', line);
    await drive(target, 1, () => {
      const now = left;
      left = undefined;
      return now;
    });
    return;
  }
  const session = connectHttp2(`https://${target.host}:${target.port}`, { rejectUnauthorized: false });
  await new Promise<void>((resolve, reject) => {
    const stream = session.request({ ':path': '/event', ':method': 'POST' });
    stream.on('error', reject);
    stream.on('response', () => resolve());
    stream.resume();
    stream.end(line);
  });
  session.close();
}
