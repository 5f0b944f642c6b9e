import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import {
  fetchText,
  get,
  http1TlsPeer,
  http2Peer,
  type Peer,
  post,
  settingsFor,
  soon,
  transportTo,
} from './testing/peers.ts';

const chunk = Buffer.alloc(64 * 1024, 120);

/** Writes for as long as there is room, and counts. */
function flood(to: Writable, sent: { bytes: number; isOver: boolean }): void {
  to.once('close', () => {
    sent.isOver = true;
  });
  const more = (): void => {
    while (!to.destroyed && to.write(chunk)) sent.bytes += chunk.length;
    sent.bytes += chunk.length;
  };
  to.on('drain', more);
  more();
}

interface Flood {
  readonly bytes: number;
  readonly isOver: boolean;
}

/** A server whose `/flood` never ends; any other path is answered with its name. */
type FloodPeer = (sent: { bytes: number; isOver: boolean }) => Promise<Peer>;

const overHttp2: FloodPeer = (sent) =>
  http2Peer((stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    if (headers[':path'] === '/flood') {
      stream.respond({ ':status': 200 });
      flood(stream, sent);
    } else stream.end(headers[':path']);
  });

const overHttp1: FloodPeer = (sent) =>
  http1TlsPeer((request, response) => {
    if (request.url === '/flood') flood(response, sent);
    else response.end(request.url);
  });

/** Waits until nothing more was sent for a number of turns of the event loop, and returns the amount. */
async function settled(sent: Flood): Promise<number> {
  let last = -1;
  for (let quiet = 0; quiet < 200; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (sent.bytes !== last) quiet = 0;
    last = sent.bytes;
  }
  return sent.bytes;
}

for (const [protocol, open] of [
  ['HTTP/2', overHttp2],
  ['HTTP/1.1', overHttp1],
] as const) {
  describe(`bodies over ${protocol}`, () => {
    it(`a body is received no faster than it is read, without delaying other requests (${protocol})`, async () => {
      const sent = { bytes: 0, isOver: false };
      await using peer = await open(sent);
      await using transport = transportTo(settingsFor(peer.url));
      const response = await transport.send(get('/flood'), soon());
      const stalled = await settled(sent);
      assert.ok(stalled < 16 * 1024 * 1024, `${stalled} bytes were sent without a reader`);
      for (let i = 0; i < 20; i++) assert.equal(await fetchText(transport, get('/quick')), '/quick');
      let taken = 0;
      for await (const one of response.body) {
        taken += one.byteLength;
        if (taken > 2 * stalled) break;
      }
      await until(() => sent.isOver);
    });

    it(`a body ends at the server when its loop is left, also before the first iteration (${protocol})`, async () => {
      for (const rounds of [0, 1, 3]) {
        const sent = { bytes: 0, isOver: false };
        await using peer = await open(sent);
        await using transport = transportTo(settingsFor(peer.url));
        const { body } = await transport.send(get('/flood'), soon());
        const chunks = body[Symbol.asyncIterator]();
        for (let i = 0; i < rounds; i++) assert.equal((await chunks.next()).done, false);
        await chunks.return?.();
        await until(() => sent.isOver);
        assert.equal((await chunks.next()).done, true);
        assert.equal(await fetchText(transport, get('/after')), '/after');
      }
    });

    it(`an aborted body throws the reason of its signal, and ends at the server (${protocol})`, async () => {
      const sent = { bytes: 0, isOver: false };
      await using peer = await open(sent);
      await using transport = transportTo(settingsFor(peer.url));
      const stop = new AbortController();
      const { body } = await transport.send(get('/flood'), stop.signal);
      const reason = new Error('enough');
      await assert.rejects(
        async () => {
          for await (const _ of body) stop.abort(reason);
        },
        (error) => error === reason,
      );
      await until(() => sent.isOver);
    });
  });

  describe(`requests over ${protocol}`, () => {
    it(`an aborted request without a response rejects with the reason of its signal (${protocol})`, async () => {
      const seen = { begun: 0, ended: 0 };
      const watch = (one: Pick<Writable, 'once'>): void => {
        seen.begun++;
        one.once('close', () => seen.ended++);
      };
      await using peer =
        protocol === 'HTTP/2'
          ? await http2Peer((stream) => watch(stream))
          : await http1TlsPeer((_request, response) => watch(response));
      await using transport = transportTo(settingsFor(peer.url));
      // The reason may be anything, not only an Error.
      for (const reason of [new Error('enough'), 'a string']) {
        const already = AbortSignal.abort(reason);
        await assert.rejects(transport.send(get('/'), already), (error) => error === reason);
        const connecting = new AbortController();
        const early = transport.send(post('/', 'x'), connecting.signal);
        connecting.abort(reason);
        await assert.rejects(early, (error) => error === reason);
        const waiting = new AbortController();
        const before = seen.begun;
        const late = transport.send(post('/', 'x'), waiting.signal);
        await until(() => seen.begun > before);
        waiting.abort(reason);
        await assert.rejects(late, (error) => error === reason);
        await until(() => seen.ended === seen.begun);
      }
    });
  });
}
