import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { servingTls } from './testing/serving-tls.ts';
import { head, reader, type TestServer, testServer } from './testing/test-server.ts';

/** More than begin their handshakes in an iteration of the event loop, and more than may be in progress. */
const CLIENTS = 150;

const serve = (): Promise<TestServer> =>
  testServer({
    resources: async ({ info }) => ({
      kind: 'bytes',
      status: 200,
      headers: {},
      body: Buffer.from(info.name ?? ''),
    }),
  });

async function overHttp1({ port }: TestServer, index: number): Promise<string> {
  const socket = connectTls({ host: '127.0.0.1', port, ca: servingTls.cert });
  const received = reader(socket);
  socket.write(head(`GET /api/v1/nodes/n${index} HTTP/1.1`));
  const text = await received.until(/\r\n\r\nn\d+$/);
  socket.destroy();
  return text.slice(text.lastIndexOf('\n') + 1);
}

async function overHttp2({ port }: TestServer, index: number): Promise<string> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: servingTls.cert });
  const stream = session.request({ ':path': `/api/v1/nodes/n${index}`, authorization: 'Bearer secret' });
  const body = (await stream.toArray()).join('');
  session.destroy();
  return body;
}

const expected = Array.from({ length: CLIENTS }, (_, index) => `n${index}`);

describe('many clients that connect at once', () => {
  for (const [name, ask] of [
    ['HTTP/1.1', overHttp1],
    ['HTTP/2', overHttp2],
  ] as const)
    it(`every client over ${name} gets the answer to the request that it sent with its handshake`, async () => {
      await using server = await serve();
      const answers = await Promise.all(expected.map((_, index) => ask(server, index)));
      assert.deepEqual(answers, expected);
    });

  it('clients that begin no handshake do not keep others out', async () => {
    await using server = await serve();
    const silent: Socket[] = expected.map(() =>
      connect(server.port, '127.0.0.1').on('error', () => undefined),
    );
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    assert.equal(await overHttp1(server, 1), 'n1');
    for (const socket of silent) socket.destroy();
  });

  it('a server with waiting clients stops', async () => {
    await using server = await serve();
    const silent = expected.map(() => connect(server.port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
  });
});
