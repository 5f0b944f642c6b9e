import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import {
  type Client,
  type CommandOutcome,
  type CommandStreams,
  createClient,
  isBadRequest,
  isForbidden,
  isNotFound,
  isTransportError,
  type LoadedConfig,
  loadConfig,
  type PodStreams,
  podLogs,
  podStreams,
} from '@orch/client';
import { type NodeCluster, nodeCluster } from '../orchctl/node-cluster.ts';
import { startTcpFront, type TcpFront } from './tcp-front.ts';

const pod = { namespace: 'default', name: 'one' };
const LARGE = randomBytes(3 * 1024 * 1024);
const never = new AbortController().signal;

/** What a command was given and has written. */
interface Command {
  readonly streams: CommandStreams;
  readonly out: Buffer[];
  readonly err: Buffer[];
}

function command(input?: AsyncIterable<Uint8Array>): Command {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  const streams = {
    ...(input === undefined ? {} : { input }),
    hasTerminal: false,
    out: async (data: Buffer) => void out.push(data),
    err: async (data: Buffer) => void err.push(data),
  };
  return { streams, out, err };
}

async function* parts(all: Buffer, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < all.length; start += size) yield all.subarray(start, start + size);
}

/** Input that does not end. */
async function* open(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
  await new Promise(() => undefined);
}

describe('streams to containers of pods', { timeout: 240_000 }, () => {
  let cluster: NodeCluster;
  let echo: Server;
  let front: TcpFront;
  let config: LoadedConfig;
  let streams: PodStreams;
  let client: Client;

  before(async () => {
    // It sends back what arrives, and ends when its peer does.
    echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const address = echo.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    cluster = await nodeCluster('kubernetes', (of) => (of === 80 ? port : 1), {
      args: ['--authorization-mode=RBAC'],
    });
    front = await startTcpFront([cluster.server.port]);
    config = await loadConfig({ files: [cluster.server.adminConfig] });
    streams = podStreams(config);
    client = createClient(config);
  });
  after(async () => {
    await config.transport.close();
    await front[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
    echo.close();
  });

  /** Streams whose connections can be cut. */
  const cuttable = (): PodStreams =>
    podStreams({ ...config, settings: { ...config.settings, server: `https://127.0.0.1:${front.port}` } });

  const exec = (
    argv: readonly string[],
    { streams: own }: Command,
    signal = never,
    by = streams,
  ): Promise<CommandOutcome> => by.exec(pod, { ...own, command: argv }, signal);

  it('exec passes binary input to a command, and its output back', async () => {
    const cat = command(parts(LARGE));
    assert.deepEqual(await exec(['cat'], cat), { exitCode: 0 });
    assert.ok(LARGE.equals(Buffer.concat(cat.out)));
  });

  it('exec ends with the exit code of the command, and says why one could not be run', async () => {
    for (const code of [0, 1, 7, 255])
      assert.deepEqual(await exec(['exit', `${code}`], command()), { exitCode: code });
    const outcome = await exec(['unknown'], command());
    assert.deepEqual(outcome, { exitCode: undefined, message: 'no such command: unknown' });
  });

  it('exec tells output from errors, and reads no faster than the caller', async () => {
    const complaint = command();
    await exec(['complain', 'loudly'], complaint);
    assert.deepEqual([complaint.out, String(complaint.err)], [[], 'loudly\n']);
    let [reading, most, size] = [0, 0, 0];
    const out = async (data: Buffer): Promise<void> => {
      most = Math.max(most, ++reading);
      size += data.length;
      await new Promise(setImmediate);
      reading -= 1;
    };
    await exec(['fill', '3000000'], { ...command(), streams: { ...command().streams, out } });
    assert.deepEqual([most, size], [1, 3_000_000]);
  });

  it('attach passes input and output of a running container', async () => {
    const attached = command(parts(Buffer.from('typed in')));
    await streams.attach(pod, { ...attached.streams, container: 'c' }, never);
    assert.match(Buffer.concat(attached.out).toString(), /typed in/);
  });

  for (const verb of ['exec', 'attach'] as const) {
    it(`${verb} rejects with the reason of its signal, before and after the connection is open`, async () => {
      const begin = (signal: AbortSignal, own: Command): Promise<CommandOutcome> =>
        verb === 'exec' ? exec(['cat'], own, signal) : streams.attach(pod, own.streams, signal);
      const reason = new Error('enough');
      await assert.rejects(begin(AbortSignal.abort(reason), command()), reason);
      const stop = new AbortController();
      const running = command(open('x'));
      const out = async (): Promise<void> => stop.abort(reason);
      await assert.rejects(begin(stop.signal, { ...running, streams: { ...running.streams, out } }), reason);
    });
  }

  it('exec whose connection is cut rejects with a TransportError', async () => {
    const running = command(open('x'));
    const out = async (): Promise<void> => front.cut();
    await assert.rejects(
      exec(['cat'], { ...running, streams: { ...running.streams, out } }, never, cuttable()),
      isTransportError,
    );
  });

  it('what the server refuses is an ApiError with its reason', async () => {
    const request = { ...command().streams, command: ['echo'] };
    await assert.rejects(streams.exec({ ...pod, name: 'missing' }, request, never), isNotFound);
    await assert.rejects(streams.exec({ ...pod, name: 'two' }, request, never), isBadRequest);
    await assert.rejects(streams.exec(pod, { ...request, container: 'z' }, never), isBadRequest);
    await assert.rejects(
      streams.forward({ ...pod, name: 'missing' }, { port: 80, local: Duplex.from([]) }, never),
      isNotFound,
    );
    const nobody = podStreams({
      ...config,
      settings: {
        ...config.settings,
        credentials: {
          ...config.settings.credentials,
          async current(signal: AbortSignal) {
            const identity = await config.settings.credentials.current(signal);
            return { ...identity, headers: { ...identity.headers, 'impersonate-user': 'nobody' } };
          },
        },
      },
    });
    await assert.rejects(nobody.exec(pod, request, never), isForbidden);
  });

  it('forward passes binary data to a port of a pod and back', async () => {
    const local = pair();
    const forwarded = streams.forward(pod, { port: 80, local: local.far }, never);
    const answer = buffer(local.near);
    local.near.end(LARGE);
    await forwarded;
    assert.ok(LARGE.equals(await answer));
  });

  it('forward rejects when the pod refuses the connection', async () => {
    const local = pair();
    await assert.rejects(streams.forward(pod, { port: 81, local: local.far }, never), isTransportError);
  });

  it('forward rejects with the reason of its signal, and ends the local connection', async () => {
    const reason = new Error('enough');
    const local = pair();
    local.near.resume();
    await assert.rejects(
      streams.forward(pod, { port: 80, local: local.far }, AbortSignal.abort(reason)),
      reason,
    );
    const stop = new AbortController();
    const second = pair();
    const forwarded = streams.forward(pod, { port: 80, local: second.far }, stop.signal);
    second.near.once('data', () => stop.abort(reason));
    const ended = once(second.near, 'end');
    second.near.write('x');
    await assert.rejects(forwarded, reason);
    await ended;
  });

  it('forward whose connection is cut rejects with a TransportError', async () => {
    const local = pair();
    const forwarded = cuttable().forward(pod, { port: 80, local: local.far }, never);
    local.near.once('data', () => front.cut());
    local.near.write('x');
    await assert.rejects(forwarded, isTransportError);
  });

  it('logs are followed line by line, until the loop, the signal or the connection ends', async () => {
    const lines: string[] = [];
    for await (const line of podLogs(client, pod, { follow: true })) {
      lines.push(line);
      if (line === 'line 3') cluster.agent.log('written later');
      if (line === 'written later') break;
    }
    assert.deepEqual(lines, ['line 1', 'line 2', 'line 3', 'written later']);
    const reason = new Error('enough');
    const stop = new AbortController();
    const follow = async (by: Client, signal: AbortSignal, each: () => void): Promise<void> => {
      for await (const line of podLogs(by, pod, { follow: true }, signal))
        if (line === 'written later') each();
    };
    await assert.rejects(
      follow(client, stop.signal, () => stop.abort(reason)),
      reason,
    );
    const file = join(cluster.folder, 'through-the-front');
    const text = readFileSync(cluster.server.adminConfig, 'utf8');
    writeFileSync(file, text.replace(`:${cluster.server.port}`, `:${front.port}`));
    const cut = await loadConfig({ files: [file] });
    await assert.rejects(
      follow(createClient(cut), never, () => front.cut()),
      isTransportError,
    );
    await cut.transport.close();
    await assert.rejects(async () => {
      for await (const _ of podLogs(client, { ...pod, name: 'missing' }));
    }, isNotFound);
  });
});

/** Two ends of a connection within this process. */
function pair(): { readonly near: Duplex; readonly far: Duplex } {
  const make = (other: () => Duplex): Duplex =>
    new Duplex({
      read: () => undefined,
      write(data, _, done) {
        other().push(data);
        done();
      },
      final(done) {
        other().push(null);
        done();
      },
    });
  const near: Duplex = make(() => far);
  const far: Duplex = make(() => near);
  return { near, far };
}
