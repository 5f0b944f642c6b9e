import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { namesFor } from '@orch/machinery';
import { END_HEADERS, END_STREAM, frame, preface, requestFields } from './http2-frames.ts';

/** The target of an adversarial client. Requests carry the token `secret`. */
export interface AdversaryTarget {
  readonly port: number;
  /** Trusted by the client. */
  readonly ca: string;
  /** Path of a GET whose reply is larger than the buffers of a connection. */
  readonly largePath: string;
  /** Path of a watch. */
  readonly watchPath: string;
  /** Path of a request that upgrades its connection to SPDY. */
  readonly tunnelPath: string;
}

/** A client that keeps its connection open; it never closes it itself. */
export interface Adversary {
  /** Completes the sentence "a client that …". */
  readonly does: string;
  /** Whether it keeps a request open, so that a draining server may wait until the end of its grace period. */
  readonly holdsRequest: boolean;
  /** Opens the connection and misbehaves; resolves with the socket when the server has seen the misbehaviour. */
  attack(target: AdversaryTarget): Promise<Socket>;
}

/** A flood that makes no progress for this long has filled all buffers. */
const STUCK_MS = 300;

const protocol = namesFor('orch').webSocketProtocols.channelV4;
const h2 = ['h2'];
const http1 = ['http/1.1'];
const ping = frame('ping', 0, 0, Buffer.alloc(8));
const settings = frame('settings', 0);
const goAway = frame('goaway', 0, 0, Buffer.alloc(8));
const noWindow = frame('settings', 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]));
const cancel = Buffer.from([0, 0, 0, 8]);

async function open(target: AdversaryTarget, ALPNProtocols: string[]): Promise<TLSSocket> {
  const options: ConnectionOptions & { allowHalfOpen: boolean } = {
    host: '127.0.0.1',
    port: target.port,
    ca: target.ca,
    ALPNProtocols,
    allowHalfOpen: true,
  };
  const socket = connectTls(options);
  await once(socket, 'secureConnect');
  socket.on('error', () => undefined);
  return socket;
}

/** An HTTP/2 connection on which `frames` were sent; the client reads the first bytes of the server only. */
async function http2(target: AdversaryTarget, ...frames: readonly Buffer[]): Promise<TLSSocket> {
  const socket = await open(target, h2);
  socket.write(Buffer.concat([preface, ...frames]));
  await once(socket, 'readable');
  return socket;
}

const request = (stream: number, path: string): Buffer =>
  frame('headers', stream, END_STREAM | END_HEADERS, requestFields(path));

/** Sends the frame repeatedly without reading, until the connection ends or accepts nothing for a moment. */
async function flood(socket: TLSSocket, piece: Buffer): Promise<void> {
  const chunk = Buffer.concat(Array.from({ length: 4000 }, () => piece));
  for (let sent = 0; sent < 500 && !socket.destroyed; sent++) {
    if (socket.write(chunk)) continue;
    const moved = new Promise<true>((resolve) => {
      for (const event of ['drain', 'close']) socket.once(event, () => resolve(true));
    });
    if (!(await Promise.race([moved, pause(STUCK_MS, false)]))) return;
  }
}

async function http1Request(target: AdversaryTarget, text: string): Promise<TLSSocket> {
  const socket = await open(target, http1);
  socket.write(text, 'latin1');
  return socket;
}

const head = (path: string, ...fields: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: h', 'Authorization: Bearer secret', ...fields, '', ''].join('\r\n');

/** Clients that keep their end of the connection open. */
export const adversaries: readonly Adversary[] = [
  {
    does: 'sends GOAWAY over HTTP/2 and then nothing',
    holdsRequest: false,
    attack: (target) => http2(target, goAway),
  },
  {
    does: 'reads nothing of many answers over HTTP/2',
    holdsRequest: true,
    attack: (target) =>
      http2(target, ...Array.from({ length: 50 }, (_, i) => request(2 * i + 1, target.largePath))),
  },
  {
    does: 'ends its side of an HTTP/2 connection and keeps the socket',
    holdsRequest: false,
    async attack(target) {
      const socket = await http2(target);
      socket.end();
      return socket;
    },
  },
  {
    does: 'ends its side of the TCP connection under HTTP/2, without the end of TLS',
    holdsRequest: false,
    async attack(target) {
      const tcp = connectTcp({ host: '127.0.0.1', port: target.port, allowHalfOpen: true });
      await once(tcp, 'connect');
      const socket = connectTls({ socket: tcp, ca: target.ca, ALPNProtocols: h2 });
      await once(socket, 'secureConnect');
      for (const one of [socket, tcp]) one.on('error', () => undefined);
      socket.write(preface);
      await once(socket, 'readable');
      tcp.end();
      return tcp;
    },
  },
  {
    does: 'keeps the window of an HTTP/2 stream at zero while its answer waits',
    holdsRequest: true,
    attack: (target) => http2(target, noWindow, request(1, target.largePath)),
  },
  {
    does: 'floods an HTTP/2 connection with PING and reads nothing',
    holdsRequest: false,
    async attack(target) {
      const socket = await http2(target);
      await flood(socket, ping);
      return socket;
    },
  },
  {
    does: 'floods an HTTP/2 connection with SETTINGS and reads nothing',
    holdsRequest: false,
    async attack(target) {
      const socket = await http2(target);
      await flood(socket, settings);
      return socket;
    },
  },
  {
    does: 'opens HTTP/2 streams and resets them at once',
    holdsRequest: false,
    async attack(target) {
      const socket = await http2(target);
      for (let id = 1; id < 4000; id += 2) {
        if (!socket.write(Buffer.concat([request(id, target.largePath), frame('rst', id, 0, cancel)]))) break;
      }
      return socket;
    },
  },
  {
    does: 'never finishes the CONTINUATION of an HTTP/2 head',
    holdsRequest: false,
    attack: (target) =>
      http2(
        target,
        frame('headers', 1, END_STREAM, requestFields('/')),
        frame('continuation', 1, 0, Buffer.alloc(0)),
      ),
  },
  {
    does: 'never finishes the HEADERS frame of an HTTP/2 request',
    holdsRequest: false,
    attack: (target) => http2(target, request(1, '/').subarray(0, 20)),
  },
  {
    does: 'never finishes the TLS handshake',
    holdsRequest: false,
    async attack({ port }) {
      const socket = connectTcp({ host: '127.0.0.1', port, allowHalfOpen: true });
      await once(socket, 'connect');
      socket.on('error', () => undefined);
      // The head of a ClientHello of 512 bytes.
      socket.write(Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]));
      return socket;
    },
  },
  {
    does: 'never finishes the head of an HTTP/1.1 request',
    holdsRequest: false,
    attack: (target) => http1Request(target, head('/').slice(0, -10)),
  },
  {
    does: 'reads nothing of an answer over HTTP/1.1',
    holdsRequest: true,
    attack: (target) => http1Request(target, head(target.largePath).repeat(20)),
  },
  {
    does: 'never finishes the body of an HTTP/1.1 request',
    holdsRequest: true,
    attack: (target) =>
      http1Request(target, `${head(target.largePath, 'Content-Length: 10000').replace('GET', 'POST')}{`),
  },
  {
    does: 'keeps a watch open over HTTP/1.1 and reads nothing',
    holdsRequest: true,
    attack: (target) => http1Request(target, head(target.watchPath)),
  },
  {
    does: 'keeps a watch open over HTTP/2 and reads nothing',
    holdsRequest: true,
    attack: (target) => http2(target, request(1, target.watchPath)),
  },
  {
    does: 'keeps an upgraded connection open and reads nothing',
    holdsRequest: true,
    async attack(target) {
      const fields = ['Connection: Upgrade', 'Upgrade: SPDY/3.1', `X-Stream-Protocol-Version: ${protocol}`];
      const socket = await http1Request(target, head(target.tunnelPath, ...fields));
      await once(socket, 'readable');
      const answer = String(socket.read(12));
      if (answer !== 'HTTP/1.1 101') throw new Error(`no upgrade: ${answer}${String(socket.read())}`);
      return socket;
    },
  },
];
