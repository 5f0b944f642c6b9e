import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** One address before servers that come and go. New connections go to the targets in turn; `cut` breaks all at once. */
export interface TcpFront extends AsyncDisposable {
  readonly port: number;
  /** Ports of servers that accept connections; none: connections are refused. */
  targets: readonly number[];
  /** New connections that receive more bytes than the first of these numbers are broken; each number is used once. */
  cutAfterBytes: number[];
  cut(): void;
}

export async function startTcpFront(targets: readonly number[]): Promise<TcpFront> {
  const sockets = new Set<Socket>();
  let next = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => void sockets.delete(socket));
  };
  const server = createServer((near) => {
    const port = front.targets[next++ % Math.max(front.targets.length, 1)];
    if (port === undefined) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    keep(near);
    keep(far);
    const limits = front.cutAfterBytes;
    let received = 0;
    far.on('data', (data: Buffer) => {
      received += data.length;
      const [limit = Number.POSITIVE_INFINITY] = limits;
      if (received <= limit) return;
      limits.shift();
      near.destroy();
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const front: TcpFront = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    targets,
    cutAfterBytes: [],
    cut() {
      for (const socket of [...sockets]) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      front.cut();
    },
  };
  return front;
}
