import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { LaunchedServer } from '@orch/testkit';

/** A connection as the administrator, or with `options` instead. Errors end it and are not failures. */
export function openSocket(server: LaunchedServer, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const { ca, cert, key } = server.config;
  return new Promise((resolve, reject) => {
    const identity = cert === undefined || key === undefined ? {} : { cert, key };
    const socket = connect({ host: '127.0.0.1', port: server.port, ca, ...identity, ...options });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.off('error', reject).on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** Sends bytes exactly as given, and reads until the server ends the connection. */
export async function exchange(server: LaunchedServer, bytes: string | Buffer): Promise<string> {
  const socket = await openSocket(server);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(text));
  });
}

/** Status codes of the responses in the received data, in order. */
export const codesOf = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((found) => Number(found[1]));
