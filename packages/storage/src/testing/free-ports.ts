import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Distinct ports of loopback that were just free. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    const ports: number[] = [];
    for (const server of servers) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      ports.push((server.address() as AddressInfo).port);
    }
    return ports;
  } finally {
    for (const server of servers) server.close();
  }
}
