import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ports that systems give to connections and to servers without a port: one of those may be in use again before a
 * program listens on it.
 */
const LOWEST = 10_000;
const COUNT = 22_000;

/** Ports that are tried before there seems to be another problem. */
const ATTEMPTS = 100;

/** Distinct ports of loopback that are free, for programs that cannot pick one themselves. */
export async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  const ports: number[] = [];
  try {
    while (ports.length < count) {
      const server = createServer();
      servers.push(server);
      ports.push(await listen(server));
    }
    return ports;
  } finally {
    await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  }
}

/** Listens on a random port: other processes of the tests pick theirs at the same time. */
async function listen(server: Server): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return port;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
