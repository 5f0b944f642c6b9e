/**
 * The floor of connections: a process with a bare TLS server that requests client certificates, answers the first bytes of a
 * connection with the head of an HTTP response, and keeps the connection. Started as a program with a certificate and its key; prints
 * its port as JSON.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

const [certPath = '', keyPath = ''] = process.argv.slice(2);
const server = createServer({
  cert: readFileSync(certPath),
  key: readFileSync(keyPath),
  noDelay: true,
  requestCert: true,
  rejectUnauthorized: false,
});
server.on('secureConnection', (socket) => {
  socket.on('error', () => {});
  socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })),
);
