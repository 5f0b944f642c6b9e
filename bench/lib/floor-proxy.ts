/**
 * A bare reverse proxy of Node over kept TLS connections, as a program with a certificate, its key, `h1` or `h2` for the
 * connections to the backend, and the host and port of the backend as `HOST:PORT`; prints its port as JSON.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import { Agent, createServer, request as send } from 'node:https';
import type { AddressInfo } from 'node:net';

const [certPath = '', keyPath = '', protocol = 'h2', backend = ''] = process.argv.slice(2);
const [host = '', port = ''] = backend.split(':');

/** Over HTTP/1.1: one connection for each request in flight. */
function overHttp1(): (incoming: IncomingMessage, response: ServerResponse) => void {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  return (incoming, response) => {
    const { method, url, headers } = incoming;
    const outgoing = send({ agent, host, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  };
}

/** Over one connection of HTTP/2. */
function overHttp2(): (incoming: IncomingMessage, response: ServerResponse) => void {
  const session = connect(`https://${backend}`, { rejectUnauthorized: false });
  return ({ method, url, headers: { host: authority, connection: _, ...fields } }, response) => {
    const pseudo = { ':method': method, ':path': url, ':authority': authority };
    // No request has a body.
    const stream = session.request({ ...pseudo, ...fields }, { endStream: true });
    stream.once('response', ({ ':status': status = 502, ...headers }) => {
      response.writeHead(status, headers as OutgoingHttpHeaders);
      stream.pipe(response);
    });
  };
}

const server = createServer(
  // A connection is not closed while others are measured.
  { cert: readFileSync(certPath), key: readFileSync(keyPath), noDelay: true, keepAliveTimeout: 0 },
  protocol === 'h2' ? overHttp2() : overHttp1(),
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
