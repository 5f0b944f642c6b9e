import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';
import { openSocket } from './raw-socket.ts';

const types = { headers: 1, rst: 3, settings: 4, continuation: 9 } as const;
const END_STREAM = 1;
const END_HEADERS = 4;
const CANCEL = Buffer.from([0, 0, 0, 8]);

function frame(
  type: keyof typeof types,
  stream: number,
  flags: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = types[type];
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A field as HPACK has it without any table; names and values are short. */
const field = (name: string, value: string): Buffer =>
  Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);

const fieldsOf = (path: string): Buffer =>
  Buffer.concat([
    field(':method', 'GET'),
    field(':scheme', 'https'),
    field(':path', path),
    field(':authority', 'h'),
    field('authorization', 'Bearer hunter2'),
  ]);

const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame('settings', 0, 0)]);
const list = '/api/v1/namespaces/default/configmaps';

/** A connection of a user with a token, that speaks HTTP/2 by hand. */
async function handMade(server: LaunchedServer): Promise<TLSSocket> {
  const socket = await openSocket(server, { cert: undefined, key: undefined, ALPNProtocols: ['h2'] });
  socket.resume();
  socket.write(preface);
  return socket;
}

const isClosed = (socket: TLSSocket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once('close', () => resolve());
  });

describe('attacks over HTTP/2', { timeout: 60_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-http2-'));
  let server: LaunchedServer;
  let alice: ApiClient;
  before(async () => {
    writeFileSync(join(work, 'tokens'), 'hunter2,mallory,1\nhunter3,alice,2\n');
    server = await launchServer({ args: [`--token-auth-file=${join(work, 'tokens')}`] });
    alice = new ApiClient({ ...server.config, cert: undefined, key: undefined, token: 'hunter3' });
  });
  after(async () => {
    alice[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  const requests = async (): Promise<number> => {
    const { text } = await server.client.get('/metrics');
    const counts = [...text.matchAll(/^apiserver_request_total\{[^}]*resource="configmaps"[^}]*\} (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  };

  it('rapid stream resets end their HTTP/2 connection early and do not delay other clients', async () => {
    const before = await requests();
    // The other client is connected before the attack: a new connection has 10 s for its handshake, which this process may not finish while it attacks.
    assert.equal((await alice.get('/api/v1/namespaces/default/secrets')).status, 200);
    const pair = (stream: number): Buffer =>
      Buffer.concat([
        frame('headers', stream, END_STREAM | END_HEADERS, fieldsOf(list)),
        frame('rst', stream, 0, CANCEL),
      ]);
    const attackers = await Promise.all(Array.from({ length: 20 }, () => handMade(server)));
    const floods = attackers.map(async (socket) => {
      const end = isClosed(socket);
      for (let stream = 1; stream < 40_000 && !socket.destroyed; stream += 2) {
        if (socket.write(pair(stream))) continue;
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), end]);
      }
      await end;
    });
    const slowest: number[] = [];
    for (let i = 0; i < 20; i++) {
      const began = performance.now();
      assert.equal((await alice.get('/api/v1/namespaces/default/secrets')).status, 200);
      slowest.push(performance.now() - began);
    }
    await Promise.all(floods);
    assert.ok(Math.max(...slowest) < 10_000, `${Math.max(...slowest)} ms`);
    // Each connection reaches only its budget of resets, and not the twenty thousand that it attempted.
    const served = (await requests()) - before;
    assert.ok(served <= attackers.length * 1000, `${served} requests were looked at`);
  });

  it('unfinished HTTP/2 header blocks occupy one connection each and do not block requests of other clients', async () => {
    const before = await requests();
    const block = fieldsOf(list);
    const sockets = await Promise.all(Array.from({ length: 100 }, () => handMade(server)));
    for (const socket of sockets) socket.write(frame('headers', 1, END_STREAM, block.subarray(0, 10)));
    // A byte of the head at a time, on all of them.
    for (let at = 10; at < 30; at++) {
      for (const socket of sockets) socket.write(frame('continuation', 1, 0, block.subarray(at, at + 1)));
      assert.equal((await alice.get('/api/v1/namespaces/default/secrets')).status, 200);
    }
    assert.equal(await requests(), before);
    for (const socket of sockets) socket.destroy();
  });
});
