import type { Server } from 'node:net';
import { CommandError } from '../../command-error.ts';

/** Starts a server on an address. Resolves with its port; rejects with a `CommandError`. */
export function listen(server: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new CommandError(`unable to listen on ${hostText(address)}:${port}: ${cause.message}`, { cause }),
      ),
    );
    server.listen(port, address, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}

/** An address as in a URL. */
export const hostText = (address: string): string => (address.includes(':') ? `[${address}]` : address);
