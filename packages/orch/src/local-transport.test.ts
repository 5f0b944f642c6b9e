import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LoopbackRequest, LoopbackResponse, LoopbackTransport } from '@orch/apiserver';
import { type Credentials, type Transport, TransportError } from '@orch/client';
import { localTransport, loopbackCredentials } from './local-transport.ts';

const never = new AbortController().signal;
const request = { method: 'GET', target: '/version', headers: { accept: 'application/json' } };

interface Seen {
  readonly calls: LoopbackRequest[];
  abandoned: number;
}

/** A server that responds by the credentials of requests. */
function serverOf(answer: (authorization: unknown, signal: AbortSignal) => Promise<number>): {
  readonly access: Pick<LoopbackTransport, 'send'>;
  readonly seen: Seen;
} {
  const seen: Seen = { calls: [], abandoned: 0 };
  const send = async (call: LoopbackRequest, signal: AbortSignal): Promise<LoopbackResponse> => {
    seen.calls.push(call);
    const status = await answer(call.headers['authorization'], signal);
    return {
      status,
      headers: {},
      body: {
        abandon: () => void seen.abandoned++,
        async *[Symbol.asyncIterator]() {
          yield Buffer.from('one');
          if (status === 299) throw new Error('the answer broke off');
          yield Buffer.from('two');
        },
      },
    };
  };
  return { access: { send }, seen };
}

/** Credentials with these tokens, of which the next one follows a rejected one. */
function tokens(...all: readonly string[]): Credentials {
  let at = 0;
  return {
    current: async () => ({ headers: { authorization: all[at] ?? '' } }),
    rejected: () => ++at < all.length,
    onTlsChange: () => () => undefined,
  };
}

async function text(transport: Transport): Promise<string> {
  let all = '';
  const { body } = await transport.send(request, never);
  for await (const chunk of body) all += Buffer.from(chunk).toString();
  return all;
}

describe('the transport within one process', () => {
  it('requests have the identity of the credentials in addition to their own headers', async () => {
    const { access, seen } = serverOf(async () => 200);
    const credentials = loopbackCredentials({ authorization: 'Bearer x' });
    assert.equal(await text(localTransport(access, credentials)), 'onetwo');
    assert.deepEqual(seen.calls[0]?.headers, { accept: 'application/json', authorization: 'Bearer x' });
  });

  it('a request is retried once with renewed credentials after a 401, whose body is abandoned', async () => {
    const { access, seen } = serverOf(async (token) => (token === 'b' ? 200 : 401));
    assert.equal((await localTransport(access, tokens('a', 'b')).send(request, never)).status, 200);
    assert.equal(seen.abandoned, 1);
    assert.equal((await localTransport(access, tokens('a', 'c', 'b')).send(request, never)).status, 401);
    assert.equal((await localTransport(access, tokens('a')).send(request, never)).status, 401);
  });

  it('a failed or incomplete response throws a TransportError', async () => {
    const cut = serverOf(async () => 299);
    await assert.rejects(text(localTransport(cut.access, tokens('a'))), {
      name: 'TransportError',
      outcome: 'unknown',
    });
    const failing = serverOf(async () => {
      throw new Error('no');
    });
    await assert.rejects(text(localTransport(failing.access, tokens('a'))), { name: 'TransportError' });
  });

  it('a body that is not read to its end is abandoned, also before the first chunk', async () => {
    const { access, seen } = serverOf(async () => 200);
    const transport = localTransport(access, tokens('a'));
    const unread = await transport.send(request, never);
    await unread.body[Symbol.asyncIterator]().return?.();
    assert.equal(seen.abandoned, 1);
    const begun = await transport.send(request, never);
    for await (const _ of begun.body) break;
    assert.equal(seen.abandoned, 2);
  });

  const hanging = () =>
    serverOf(
      (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );

  it('an aborted request rejects with the reason of the signal', async () => {
    const stop = new AbortController();
    const sent = localTransport(hanging().access, tokens('a')).send(request, stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(sent, /enough/);
    await assert.rejects(localTransport(hanging().access, tokens('a')).send(request, stop.signal), /enough/);
  });

  it('a reset ends the requests in progress and allows new ones, and a closed transport rejects all', async () => {
    let isHanging = true;
    const stuck = hanging();
    const fine = serverOf(async () => 200);
    const transport = localTransport(
      { send: (call, signal) => (isHanging ? stuck : fine).access.send(call, signal) },
      tokens('a'),
    );
    const sent = transport.send(request, never);
    await new Promise(setImmediate);
    transport.reset('another server');
    await assert.rejects(
      sent,
      (error) => error instanceof TransportError && /another server/.test(error.message),
    );
    isHanging = false;
    assert.equal(await text(transport), 'onetwo');
    await transport.close();
    await assert.rejects(transport.send(request, never), { name: 'TransportError', outcome: 'notSent' });
  });
});
