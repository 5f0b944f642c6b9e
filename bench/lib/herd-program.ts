/**
 * Watchers with a TLS connection each, which continue at the next server at once when theirs ends. Started as a program with the
 * targets, the number of watchers and their path as JSON. Answers `open` when all watch the first server, and `moved` with what
 * happened when all watch another one.
 */
import { connect as connectSocket, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { deferred } from '@orch/machinery/concurrency';
import type { HerdOptions, Moved } from '../scenarios/watches/herd.ts';

const { targets, count, path } = JSON.parse(process.argv[2] ?? '{}') as HerdOptions;
/** Openings in progress: further ones wait. */
const OPENING = 32;
/** Handshakes that begin in an iteration of the event loop: each watcher stands for a client that answers at once. */
const BEGINNING = 4;
/** Time for a connection after one that failed, as clients that retry wait. */
const RETRY_MS = 100;

let refused = 0;
let moved = 0;
let endedAt = Number.POSITIVE_INFINITY;
const all = deferred<void>();

const connected: (() => void)[] = [];

/** Begins a handshake, soon: not while this program has to answer others. */
function beginSoon(begin: () => void): void {
  if (connected.push(begin) === 1) setImmediate(beginSome);
}

function beginSome(): void {
  for (const begin of connected.splice(0, BEGINNING)) begin();
  if (connected.length > 0) setImmediate(beginSome);
}

/** Calls `onOpen` when the watch has a response. A watch that ends continues at the next server. */
function watch(at: number, onOpen: () => void): void {
  const { host, port, cert, key } = targets[at % targets.length] ?? { host: '', port: 0, cert: '', key: '' };
  const again = (): void => void setTimeout(() => watch(at + 1, onOpen), RETRY_MS);
  const socket = connectSocket({ host, port });
  socket.on('error', () => {});
  socket.once('close', again);
  socket.once('connect', () =>
    beginSoon(() => {
      if (socket.destroyed) return;
      socket.off('close', again);
      watchOver(socket, { cert, key }, { onOpen, onEnd: () => watch(at + 1, onMoved), onFailure: again });
    }),
  );
}

interface Outcomes {
  readonly onOpen: () => void;
  readonly onEnd: () => void;
  readonly onFailure: () => void;
}

function watchOver(
  over: Socket,
  credentials: { readonly cert: string; readonly key: string },
  { onOpen, onEnd, onFailure }: Outcomes,
): void {
  const options = { ...credentials, socket: over, servername: 'localhost', rejectUnauthorized: false };
  const socket = connect(options, () => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
  let isOpen = false;
  socket.on('error', () => {});
  socket.once('data', (head: Buffer) => {
    isOpen = head.toString('latin1', 9, 12) === '200';
    if (isOpen) onOpen();
    else refused++;
  });
  socket.on('data', (data: Buffer) => {
    if (data.includes('"type":"ERROR"')) refused++;
  });
  socket.on('close', () => {
    if (isOpen) endedAt = Math.min(endedAt, performance.now());
    if (isOpen) onEnd();
    else onFailure();
  });
}

function onMoved(): void {
  if (++moved === count) all.resolve();
}

async function open(): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next++ < count) await new Promise<void>((resolve) => watch(0, resolve));
  };
  await Promise.all(Array.from({ length: OPENING }, lane));
}

process.on('message', async (message: 'open' | 'moved') => {
  if (message === 'open') {
    await open();
    process.send?.('open');
    return;
  }
  await all.promise;
  process.send?.({ refused, seconds: (performance.now() - endedAt) / 1000 } satisfies Moved);
});
