import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  type ClientHttp2Stream,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { FakeClock, until } from '@orch/machinery/testing';
import { Http2Session } from '../http2/session.ts';
import type { PlainAnswer } from './answer.ts';
import { OutboundFailure } from './failures.ts';
import { defaultConnectionLimits } from './limits.ts';
import { readAnswer } from './read-answer.ts';
import { noBody } from './request.ts';

/** Reads an answer over HTTP/2 after `ready` has resolved. */
async function read(
  answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
  ready: (stream: ClientHttp2Stream) => Promise<unknown>,
  limitBytes = 100_000,
): Promise<{ readonly text: string; readonly answer: PlainAnswer }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const options = { clock: new FakeClock(), limits: defaultConnectionLimits, onClosed: () => undefined };
  const session = new Http2Session(socket, options);
  const { signal } = new AbortController();
  const headers = { host: 'extension' };
  const request = { method: 'GET', target: '/', headers, bodyLength: 0, body: noBody, upgrade: undefined };
  try {
    const received = await session.request(request, signal);
    if (received.kind !== 'answer') throw new TypeError('an upgrade');
    await ready(received.body as ClientHttp2Stream);
    const pieces = await readAnswer(received, limitBytes, signal);
    return { text: Buffer.concat(pieces).toString(), answer: received };
  } finally {
    session.destroy();
    server.close();
  }
}

const atOnce = (): Promise<void> => Promise.resolve();

describe('reading an answer', () => {
  const whole = 'x'.repeat(10_000);

  it('an answer over HTTP/2 whose stream was closed before it was read is complete', async () => {
    const closed = (stream: ClientHttp2Stream) => until(() => stream.closed, 'the end of the stream');
    assert.equal((await read((_request, response) => void response.end(whole), closed)).text, whole);
  });

  it('an answer without a body is read at once', async () => {
    assert.equal((await read((_request, response) => void response.end(), atOnce)).text, '');
  });

  it('an answer that breaks off, before or while it is read, is a failure of the server', async () => {
    for (const ready of [
      atOnce,
      (stream: ClientHttp2Stream) => until(() => stream.destroyed, 'the end of the stream'),
    ]) {
      const broken = read((_request, response) => {
        response.on('error', () => undefined);
        response.write('beginning', () => response.stream.destroy(new Error('broken')));
      }, ready);
      await assert.rejects(broken, OutboundFailure);
    }
  });

  it('reading stops behind the limit and gives up the answer', async () => {
    const { text, answer } = await read((_request, response) => void response.write(whole), atOnce, 10);
    assert.ok(text.length > 10);
    assert.equal(answer.body.destroyed, true);
  });
});
