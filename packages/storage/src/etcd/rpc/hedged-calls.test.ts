import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Clock } from '@orch/machinery';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { FakeClock, poll } from '@orch/machinery/testing';
import { GrpcServer, type ServerCall } from '../../testing/index.ts';
import { Channel } from './channel.ts';
import { parseEndpoint } from './endpoint.ts';
import { HedgedCalls } from './hedged-calls.ts';
import type { UnaryMethod } from './method.ts';
import { RpcError } from './status.ts';

const echo: UnaryMethod<Buffer, Buffer> = {
  path: '/test.Echo/Call',
  encode: (writer, request) => writer.raw(request),
  decode: (message) => Buffer.from(message),
};
const signal = new AbortController().signal;
const hello = Buffer.from('hello');
const options = { timeoutMs: 5000, signal };

async function answerEcho(call: ServerCall): Promise<void> {
  const message = await call.next();
  if (message === undefined) return;
  call.send(message);
  call.end();
}

const silence = (): void => undefined;

/** Hedged calls to two members; the first is called first. */
const hedged = (...members: readonly GrpcServer[]) => hedgedBy(systemClock, members);

/** Hedged calls that are late by a clock. */
function hedgedBy(clock: Clock, members: readonly GrpcServer[]) {
  const channel = {
    endpoints: members.map(({ endpoint }) => parseEndpoint(endpoint)),
    tls: undefined,
    clock,
    random: { ...systemRandom, int: () => 0 },
    log: silentLogger,
    dialTimeoutMs: 1000,
    keepaliveMs: 10_000,
    keepaliveTimeoutMs: 3000,
    maxMessageBytes: 1024 * 1024,
    maxWaiting: 1000,
    peer: 'the servers',
  };
  const primary = new Channel(channel);
  const calls = new HedgedCalls(primary, channel);
  return {
    primary,
    call: () => calls.unary(echo, hello, options),
    [Symbol.dispose]() {
      primary.close();
      calls.close();
    },
  };
}

describe('hedged calls', () => {
  it('hedged calls call only one member while it answers', async () => {
    await using first = await GrpcServer.listen(answerEcho);
    await using second = await GrpcServer.listen(answerEcho);
    using calls = hedgedBy(new FakeClock(), [first, second]);
    await Promise.all(Array.from({ length: 300 }, () => calls.call()));
    assert.deepEqual([first.calls, second.calls, second.sessions.size], [300, 0, 0]);
  });

  it('hedged calls are answered by another member when the first one does not answer', async () => {
    await using silent = await GrpcServer.listen(silence);
    await using other = await GrpcServer.listen(answerEcho);
    using calls = hedged(silent, other);
    assert.deepEqual(await calls.call(), hello);
    assert.deepEqual([silent.calls, other.calls], [1, 1]);
  });

  it('hedged calls leave a member that is repeatedly slower than others, with all calls that wait for it', async () => {
    await using silent = await GrpcServer.listen(silence);
    await using other = await GrpcServer.listen(answerEcho);
    using calls = hedged(silent, other);
    const waiting = assert.rejects(calls.primary.unary(echo, hello, options), (error: unknown) => {
      assert.ok(error instanceof RpcError);
      return error.failure === 'failed' && error.delivery === 'sent' && /left the member/.test(error.message);
    });
    await poll('the silent member is left', 4500, async () => {
      const before = silent.calls;
      await calls.call();
      return silent.calls === before ? true : undefined;
    });
    await waiting;
    assert.ok(silent.calls <= 6, `${silent.calls} calls`);
  });

  it('hedged calls are limited in number', async () => {
    await using silent = await GrpcServer.listen(silence);
    await using other = await GrpcServer.listen(silence);
    using calls = hedged(silent, other);
    const all = Array.from({ length: 60 }, () => calls.call());
    for (const call of all) call.catch(() => undefined);
    await poll('second calls arrive', 4500, () => (other.calls > 0 ? true : undefined));
    const [one] = await Promise.allSettled(all);
    assert.equal(one?.status, 'rejected');
    assert.equal(other.calls, 16);
  });

  it('hedged calls fail with the first failure when no member answers, and succeed when the second one does', async () => {
    for (const [status, succeeds] of [
      [0, true],
      [14, false],
    ] as const) {
      await using failing = await GrpcServer.listen(async (call) => {
        await poll('the second call', 4000, () => (other.calls > 0 ? true : undefined));
        call.end(14, 'no leader');
      });
      await using other = await GrpcServer.listen(async (call) => {
        await call.next();
        if (status === 0) call.send(hello);
        call.end(status, 'nor here');
      });
      using calls = hedged(failing, other);
      const [result] = await Promise.allSettled([calls.call()]);
      assert.equal(result.status === 'fulfilled', succeeds);
      if (result.status === 'rejected') assert.match(String(result.reason), /no leader/);
    }
  });
});
