import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Stream, connect, createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import { bodyPieces } from './body-pieces.ts';

/** Reads the body of an answer over HTTP/2, after `ready` has resolved. */
async function readOverHttp2(
  answer: (stream: ServerHttp2Stream) => void,
  ready: (stream: ClientHttp2Stream) => Promise<unknown>,
): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    answer(stream);
  });
  await once(server, 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    const stream = session.request({ ':path': '/' });
    await once(stream, 'response');
    await ready(stream);
    return await textOf(stream);
  } finally {
    session.destroy();
    server.close();
  }
}

async function textOf(body: Readable): Promise<string> {
  let text = '';
  for await (const piece of bodyPieces(body)) text += piece.toString();
  return text;
}

describe('pieces of a body', () => {
  it('a body over HTTP/2 whose stream was closed before it was read is complete', async () => {
    const text = 'x'.repeat(10_000);
    const read = await readOverHttp2(
      (stream) => stream.end(text),
      (stream) => until(() => stream.closed, 'the end of the stream'),
    );
    assert.equal(read, text);
  });

  it('a body over HTTP/2 that is reset fails', async () => {
    await assert.rejects(
      readOverHttp2(
        (stream) => {
          stream.write('beginning');
          setImmediate(() => stream.destroy(new Error('broken')));
        },
        () => Promise.resolve(),
      ),
    );
  });

  it('pieces arrive in order, and the end of the body ends them', async () => {
    assert.equal(await textOf(Readable.from(['a', 'b', 'c'].map((text) => Buffer.from(text)))), 'abc');
  });

  it('a body that was destroyed before its end fails, with its error if it has one', async () => {
    const silent = (): Readable => new Readable({ read: () => undefined });
    const broken = silent();
    broken.on('error', () => undefined);
    broken.destroy(new Error('broken'));
    await assert.rejects(textOf(broken), /^Error: broken$/);
    const closed = silent();
    const reading = textOf(closed);
    closed.destroy();
    await assert.rejects(reading, /closed before the end/);
  });

  it('leaving the loop early destroys the body', async () => {
    const body = Readable.from(['a', 'b'].map((text) => Buffer.from(text)));
    for await (const _piece of bodyPieces(body)) break;
    assert.equal(body.destroyed, true);
  });
});
