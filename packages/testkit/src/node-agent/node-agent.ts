import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Names } from '@orch/machinery';
import { type CommandStreams, runCommand } from './command.ts';
import { containerLog } from './container-log.ts';
import { spdyCommand, spdyPorts, webSocketCommand, webSocketPort } from './streams.ts';
import { acceptOf, messageStream, WebSocketMessages } from './web-socket.ts';

export interface NodeAgentOptions {
  readonly names: Names;
  readonly cert: string;
  readonly key: string;
  /** Clients must present a certificate of this authority; no client certificate is requested when absent. */
  readonly clientCa?: string;
  /** The actual ports of pods on this machine; the same number when absent. */
  readonly portOf?: (port: number) => number;
  /** Runs commands that the agent does not know; returns false for those it does not know either. */
  readonly runOther?: (argv: readonly string[], streams: CommandStreams) => boolean;
}

/** A node agent in this process, whose containers know a few commands and write numbered lines to their logs. */
export interface NodeAgent extends AsyncDisposable {
  readonly port: number;
  /** Request lines and header fields so far. */
  readonly requests: readonly AgentRequest[];
  /** Adds a line to the log of every container. */
  log(line: string): void;
  /** Ends the connections of clients that follow logs. */
  cutLogs(): void;
}

export interface AgentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Common name of the client's certificate. */
  readonly client: string | undefined;
}

export async function startNodeAgent(options: NodeAgentOptions): Promise<NodeAgent> {
  const requests: AgentRequest[] = [];
  const log = containerLog();
  const sockets = new Set<Duplex>();
  const server = createServer({
    cert: options.cert,
    key: options.key,
    ...(options.clientCa === undefined
      ? {}
      : { ca: options.clientCa, requestCert: true, rejectUnauthorized: true }),
  });
  const record = (request: IncomingMessage): URL => {
    const { method = '', url = '', headers } = request;
    const socket = request.socket as import('node:tls').TLSSocket;
    const { subject } = socket.getPeerCertificate();
    requests.push({ method, url, headers, client: subject === undefined ? undefined : String(subject.CN) });
    return new URL(url, 'https://agent');
  };
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = record(request);
    if (pathname.startsWith('/containerLogs/')) log.serve(searchParams, response);
    else echo(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, early: Buffer) => {
    if (early.length > 0) socket.unshift(early);
    upgrade(options, record(request), request, socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    requests,
    log: (line) => log.add(line),
    cutLogs: () => log.cut(),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers any other request with its own content: for requests that are passed on. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Content-Type', 'text/plain');
  response.write(`${request.method} ${request.url}\n`);
  request.pipe(response);
}

function upgrade(options: NodeAgentOptions, url: URL, request: IncomingMessage, socket: Duplex): void {
  const { names } = options;
  const [, verb = '', , , container = ''] = url.pathname.split('/');
  const protocols = names.webSocketProtocols;
  const isSpdy = request.headers.upgrade?.toLowerCase() === 'spdy/3.1';
  const offered = String(
    request.headers[isSpdy ? 'x-stream-protocol-version' : 'sec-websocket-protocol'] ?? '',
  )
    .split(',')
    .map((one) => one.trim());
  const known =
    verb === 'portForward'
      ? [protocols.portForward, `SPDY/3.1+${protocols.portForward}`, protocols.channelV4]
      : isSpdy
        ? [protocols.channelV4]
        : [protocols.channelV5, protocols.channelV4];
  const protocol = known.find((one) => offered.includes(one));
  if (container === 'missing' || protocol === undefined) {
    refuse(socket, protocol === undefined ? `no protocol of ${offered.join(', ')}` : 'container not found');
    return;
  }
  switchTo(isSpdy, protocol, request, socket);
  const { searchParams } = url;
  const start = (streams: CommandStreams): void => {
    const argv = verb === 'attach' ? ['cat'] : searchParams.getAll('command');
    if (options.runOther?.(argv, streams) !== true) runCommand(argv, streams);
  };
  if (verb === 'portForward' && protocol === protocols.channelV4) {
    webSocketPort(socket, Number(searchParams.get('port')), options.portOf ?? ((port) => port));
  } else if (verb === 'portForward') {
    const bytes = isSpdy ? socket : messageStream(new WebSocketMessages(socket, 'server'));
    spdyPorts(bytes, options.portOf ?? ((port) => port));
  } else if (isSpdy) spdyCommand(socket, expectedStreams(searchParams), start);
  else webSocketCommand(socket, start);
}

/** The streams of a client's request: the result, the requested ones, and sizes of a terminal. */
function expectedStreams(asked: URLSearchParams): readonly string[] {
  const isTty = asked.get('tty') === '1';
  return [
    'error',
    ...(asked.get('input') === '1' ? ['stdin'] : []),
    ...(asked.get('output') === '1' ? ['stdout'] : []),
    ...(asked.get('error') === '1' && !isTty ? ['stderr'] : []),
    ...(isTty ? ['resize'] : []),
  ];
}

function switchTo(isSpdy: boolean, protocol: string, request: IncomingMessage, socket: Duplex): void {
  const fields = isSpdy
    ? ['Upgrade: SPDY/3.1', `X-Stream-Protocol-Version: ${protocol}`]
    : [
        'Upgrade: websocket',
        `Sec-WebSocket-Accept: ${acceptOf(String(request.headers['sec-websocket-key']))}`,
        `Sec-WebSocket-Protocol: ${protocol}`,
      ];
  socket.write(['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', ...fields, '', ''].join('\r\n'));
}

const refuse = (socket: Duplex, reason: string): void =>
  void socket.end(
    `HTTP/1.1 ${reason.startsWith('no protocol') ? '403 Forbidden' : '404 Not Found'}\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${Buffer.byteLength(reason)}\r\nConnection: close\r\n\r\n${reason}`,
  );
