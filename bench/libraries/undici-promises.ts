import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { library } from './measure.ts';

/** A property that the outbound client promises, and the behaviour of undici. */
export interface Kept {
  readonly promise: string;
  readonly outcome: string;
}

type Serve = (socket: Socket) => void;

interface Sending {
  readonly method: string;
  readonly body?: AsyncIterable<Buffer>;
}

const WAIT_MS = 300;
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Runs `work` against a server of bytes; `send` resolves with the events of undici's handler. */
async function against<T>(
  serve: Serve,
  work: (send: (sending: Sending) => Promise<string>, sockets: readonly Socket[]) => Promise<T>,
): Promise<T> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { Client } = library('undici');
  const client = new Client(`http://backend:${port}`, {
    connect: (_options: unknown, done: (error: Error | null, socket: Socket) => void) => {
      const socket = connect(port, '127.0.0.1').once('connect', () => done(null, socket));
    },
  });
  const send = (sending: Sending): Promise<string> =>
    new Promise((resolve) => {
      let status = 0;
      const handler = {
        onRequestStart: () => undefined,
        onResponseStart: (_controller: unknown, received: number) => {
          status = received;
        },
        onResponseData: () => undefined,
        onResponseEnd: () => resolve(String(status)),
        onResponseError: (_controller: unknown, error: Error) => resolve(error.message),
      };
      client.dispatch({ path: '/', ...sending }, handler);
    });
  try {
    return await work(send, sockets);
  } finally {
    await client.destroy();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

/** Compares undici with the properties that the proxies of this server promise; docs/designs/0018 refers to it. */
export async function undiciPromises(): Promise<readonly Kept[]> {
  let received = 0;
  const late = async function* (): AsyncGenerator<Buffer> {
    await sleep(2 * WAIT_MS);
    yield Buffer.from('x');
  };
  const head = await against(
    (socket) => void socket.on('data', (piece) => (received += piece.length)),
    async (send) => {
      void send({ method: 'POST', body: late() });
      await sleep(WAIT_MS);
      return `the server has ${received} bytes after ${WAIT_MS} ms`;
    },
  );
  const answering =
    (bytes: string): Serve =>
    (socket) =>
      void socket.on('data', () => socket.write(bytes));
  const interim = await against(answering(`HTTP/1.1 100 Continue\r\n\r\n${ok}`), (send) =>
    send({ method: 'GET' }),
  );
  const heads = await against(
    answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n'),
    async (send, sockets) => {
      for (let i = 0; i < 3; i++) await send({ method: 'HEAD' });
      return `3 requests took ${sockets.length} connections`;
    },
  );
  return [
    { promise: 'a request whose body begins later reaches the server at once', outcome: head },
    { promise: 'an interim 100 that was not asked for precedes the answer', outcome: interim },
    { promise: 'a connection is kept after HEAD', outcome: heads },
  ];
}
