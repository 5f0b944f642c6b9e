import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it, mock } from 'node:test';
import { TurnSchedule } from '@orch/machinery/env';
import { TLS_RECORD_BYTES } from './shared/service.ts';
import { head, reader, type TestServer, testServer } from './testing/test-server.ts';

const DEADLINE_MS = 60_000;

/** Turns of long work without an end, which does not wait for clients that get nothing, in iterations that the test runs. */
function hurriedTurns() {
  const due: (() => void)[] = [];
  let [time, taken] = [0, 0];
  const turns = new TurnSchedule({ monotonic: () => (time += 0.001) }, (then) => due.push(then));
  const advance = (): boolean => {
    taken += 1;
    time += 10;
    return false;
  };
  turns.add({ isPatient: false, advance }, { isNew: false });
  return {
    turns,
    /** The number of iterations until the next turn. */
    untilTurn(): number {
      const before = taken;
      let iterations = 0;
      for (; taken === before; iterations += 1) for (const then of due.splice(0)) then();
      return iterations;
    },
  };
}

/** Turns of a thread that has nothing else to do, which are counted. */
function countedTurns(): { readonly turns: TurnSchedule; taken(): number } {
  const turns = new TurnSchedule({ monotonic: () => performance.now() });
  const add = mock.method(turns, 'add');
  return { turns, taken: () => add.mock.callCount() };
}

/** The answer to a request for a path. */
async function got(server: TestServer, protocol: 'HTTP/1.1' | 'HTTP/2', path: string): Promise<string> {
  if (protocol === 'HTTP/2')
    return text(server.http2().request({ ':path': path, authorization: 'Bearer secret' }));
  const socket = await server.connect();
  socket.write(head(`GET ${path} HTTP/1.1`));
  return reader(socket).until(/resource$/);
}

describe('turns beside answers', () => {
  it('long work waits for the next request of a client that has got a small answer, and not after a large one', async () => {
    const { turns, untilTurn } = hurriedTurns();
    await using server = await testServer({
      turns,
      resources: ({ info }) => {
        const body = Buffer.from(`${'-'.repeat(info.name === 'large' ? 100_000 : 10)}<${info.name}>`);
        return { kind: 'bytes', status: 200, headers: {}, body };
      },
    });
    const socket = await server.connect();
    const received = reader(socket);
    untilTurn();
    const alone = untilTurn();
    socket.write(head('GET /api/v1/nodes/large HTTP/1.1'));
    await received.until(/<large>$/);
    assert.equal(untilTurn(), alone);
    socket.write(head('GET /api/v1/nodes/small HTTP/1.1'));
    await received.until(/<small>$/);
    const iterations = untilTurn();
    assert.ok(iterations > 20 * alone, `${iterations} iterations, and ${alone} without answers`);
    assert.equal(untilTurn(), alone);
  });

  it('what a client sends after the reply that closes its connection is read in turns', async () => {
    const { turns, taken } = countedTurns();
    await using server = await testServer({ turns, limits: { lingerTimeoutMs: 600_000 } });
    const socket = await server.connect();
    const received = reader(socket);
    const bytes = 4 * 1024 * 1024;
    socket.write(head('POST /api/v1/pods HTTP/1.1', `Content-Length: ${bytes}`));
    socket.write(Buffer.alloc(bytes));
    await received.closed;
    assert.match(received.text(), /resource$/);
    // The system still has bytes of the client. A piece is longer than 16 KB by less than one record of TLS.
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    while (taken() < Math.floor(bytes / (32 * 1024))) {
      deadline.throwIfAborted();
      await new Promise(setImmediate);
    }
  });

  it('what clients send after the replies that close their connections is read up to a limit for all of them together', async () => {
    const { turns, taken } = countedTurns();
    const limits = { lateBurstBytes: 4 * TLS_RECORD_BYTES, lateBytesPerSecond: 0, lingerTimeoutMs: 50 };
    await using server = await testServer({ turns, limits });
    for (let client = 0; client < 3; client++) {
      const socket = await server.connect();
      const received = reader(socket);
      socket.write(head('POST /api/v1/pods HTTP/1.1', 'Content-Length: 8000000'));
      socket.write(Buffer.alloc(8_000_000));
      await received.until(/resource$/);
      await received.closed;
    }
    assert.equal(taken(), 4);
  });

  for (const protocol of ['HTTP/1.1', 'HTTP/2'] as const) {
    it(`a request with a long head begins in a turn, and one of usual size at once: ${protocol}`, async () => {
      const { turns, taken } = countedTurns();
      await using server = await testServer({ turns });
      const get = (path: string) => got(server, protocol, path);
      const path = '/api/v1/pods?labelSelector=';
      assert.match(await get(`${path}${'!a,'.repeat(2000)}!b`), /resource$/);
      assert.equal(taken(), 0);
      assert.match(await get(`${path}${'!a,'.repeat(4000)}!b`), /resource$/);
      assert.equal(taken(), 1);
    });
  }
});
