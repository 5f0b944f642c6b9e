import type { Socket } from 'node:net';

/** As servers in Go answer, so that clients and people recognize it. */
const ANSWER = [
  'HTTP/1.0 400 Bad Request',
  'Content-Type: text/plain; charset=utf-8',
  'Connection: close',
  '',
  'Client sent an HTTP request to an HTTPS server.\n',
].join('\r\n');

/** Whether a handshake failed because the client speaks HTTP without TLS. */
export const isPlainHttp = (error: Error): boolean =>
  'code' in error && error.code === 'ERR_SSL_HTTP_REQUEST';

/** Tells a client that the port expects TLS, and closes its connection. */
export function refusePlainHttp(socket: Socket): void {
  // The client may have reset its connection.
  socket.on('error', () => undefined);
  socket.end(ANSWER, () => socket.destroy());
}
