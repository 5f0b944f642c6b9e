import type { TLSSocket } from 'node:tls';
import { copyBytes } from '@orch/machinery';
import type { BytesReply, ChunksReply, Reply, StreamReply, UpgradeReply } from '@orch/request';
import type { Flow } from '../shared/flow.ts';
import { type PumpTarget, pump } from '../shared/pump.ts';
import { http1Head, isBodiless } from '../shared/reply-headers.ts';
import type { HttpService } from '../shared/service.ts';
import { SLICE_BYTES } from '../shared/slice-pool.ts';
import type { Http1Request } from './request.ts';
import { Http1Sink } from './sink.ts';

/** Bodies up to this size are copied behind their head into one write. */
const COALESCE_BYTES = 16 * 1024;

/** The connection and the shared service of a reply. */
export interface Outgoing {
  readonly socket: TLSSocket;
  readonly flow: Flow;
  readonly service: HttpService;
  readonly request: Http1Request;
  /** Whether the connection is kept for further requests. */
  readonly keepAlive: boolean;
}

/** Whether the connection can carry another request after the reply. */
export type Sent = 'reusable' | 'spent';

/** Writes a reply. Synchronous when nothing is awaited; never rejects. */
export function sendReply(out: Outgoing, reply: Exclude<Reply, UpgradeReply>): Sent | Promise<Sent> {
  const isHead = out.request.method === 'HEAD';
  if (reply.kind === 'stream') return isHead ? sendHeadOnly(out, reply) : sendStream(out, reply);
  if (isHead || isBodiless(reply.status)) return sendHeadOnly(out, reply);
  if (reply.kind === 'chunks') return sendChunks(out, reply);
  return reply.body.length > SLICE_BYTES ? sendChunks(out, slicesOf(reply)) : sendBytes(out, reply);
}

const persistence = (out: Outgoing, keepAlive: boolean): string => {
  if (!keepAlive) return 'Connection: close\r\n';
  return out.request.line.minorVersion === 0 ? 'Connection: keep-alive\r\n' : '';
};

const headOf = (out: Outgoing, reply: Reply): string => http1Head(reply, out.request.id, out.service.date());

const sentOf = (keepAlive: boolean): Sent => (keepAlive ? 'reusable' : 'spent');

function sendBytes(out: Outgoing, reply: BytesReply): Sent {
  const { socket, keepAlive } = out;
  const { body } = reply;
  const head = `${headOf(out, reply)}Content-Length: ${body.length}\r\n${persistence(out, keepAlive)}\r\n`;
  if (body.length <= COALESCE_BYTES) {
    const whole = Buffer.allocUnsafe(head.length + body.length);
    whole.write(head, 0, 'latin1');
    copyBytes(body, whole, head.length);
    socket.write(whole);
  } else {
    socket.cork();
    socket.write(head, 'latin1');
    socket.write(body);
    socket.uncork();
  }
  return sentOf(keepAlive);
}

function sendHeadOnly(out: Outgoing, reply: Exclude<Reply, UpgradeReply>): Sent {
  const length = reply.kind === 'bytes' ? reply.body.length : reply.length;
  const size = length === undefined || isBodiless(reply.status) ? '' : `Content-Length: ${length}\r\n`;
  out.socket.write(`${headOf(out, reply)}${size}${persistence(out, out.keepAlive)}\r\n`, 'latin1');
  if (reply.kind === 'chunks') reply.onSent?.(0, true);
  return sentOf(out.keepAlive);
}

/** A large body in memory is written like a stream of chunks. */
const slicesOf = (reply: BytesReply): ChunksReply => ({
  kind: 'chunks',
  status: reply.status,
  headers: reply.headers,
  length: reply.body.length,
  chunks: slices(reply.body),
});

function* slices(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += SLICE_BYTES) yield body.subarray(at, at + SLICE_BYTES);
}

async function sendChunks(out: Outgoing, reply: ChunksReply): Promise<Sent> {
  const { socket, flow } = out;
  const isChunked = reply.length === undefined && out.request.line.minorVersion === 1;
  // Without chunked encoding, the end of the connection ends a body of unknown length.
  const keepAlive = out.keepAlive && (reply.length !== undefined || isChunked);
  const size =
    reply.length !== undefined ? `Content-Length: ${reply.length}\r\n` : isChunked ? chunkedField : '';
  const head = Buffer.from(`${headOf(out, reply)}${size}${persistence(out, keepAlive)}\r\n`, 'latin1');
  let sent = 0;
  let isComplete = false;
  if (isChunked) socket.write(head);
  else sent -= head.length;
  const target: PumpTarget = {
    write(slice, written) {
      if (isChunked) writeChunk(out, slice, written);
      else socket.write(slice, written);
      sent += slice.length;
      return flow.isOpen();
    },
    drained: () => flow.drained(),
    isGone: () => !socket.writable,
    slices: out.service.slices,
    turns: out.service.turns,
  };
  try {
    const pumped = await pump(reply.chunks, target, isChunked ? undefined : head);
    if (isChunked && pumped.complete) socket.write('0\r\n\r\n', 'latin1');
    isComplete = pumped.complete && (reply.length === undefined || reply.length === pumped.bytes);
    if (pumped.complete && !isComplete) {
      out.service.log.error('a reply does not have the announced length', {
        requestId: out.request.id,
        sent,
      });
    }
  } catch (error) {
    logBroken(out, error);
  }
  if (!isComplete) socket.destroy();
  reply.onSent?.(Math.max(sent, 0), isComplete);
  return isComplete ? sentOf(keepAlive) : 'spent';
}

const chunkedField = 'Transfer-Encoding: chunked\r\n';

/**
 * Node would copy several writes into a newly allocated buffer: here the chunk is copied with its frame into a pooled
 * buffer, and written once.
 */
function writeChunk(
  { socket, service: { slices } }: Outgoing,
  bytes: Buffer,
  written: Parameters<PumpTarget['write']>[1],
): void {
  if (bytes.length <= SLICE_BYTES) {
    const framed = slices.take();
    const start = framed.write(`${bytes.length.toString(16)}\r\n`, 0, 'latin1');
    copyBytes(bytes, framed, start);
    const end = start + bytes.length + framed.write('\r\n', start + bytes.length, 'latin1');
    // The chunk is no longer needed; after a failure the copy may still be referenced.
    written?.();
    socket.write(framed.subarray(0, end), (error) => {
      if (!error) slices.give(framed);
    });
    return;
  }
  socket.cork();
  socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
  socket.write(bytes, written);
  socket.write('\r\n', 'latin1');
  socket.uncork();
}

async function sendStream(out: Outgoing, reply: StreamReply): Promise<Sent> {
  const { socket, flow, request, service } = out;
  const { length } = reply;
  const isChunked = length === undefined && request.line.minorVersion === 1;
  const keepAlive = out.keepAlive && reply.isLast !== true && (isChunked || length !== undefined);
  const size = length !== undefined ? `Content-Length: ${length}\r\n` : isChunked ? chunkedField : '';
  // The head and the first bytes are sent in one write.
  socket.cork();
  process.nextTick(() => socket.uncork());
  socket.write(`${headOf(out, reply)}${size}${persistence(out, keepAlive)}\r\n`, 'latin1');
  const sink = new Http1Sink(socket, flow, {
    isChunked,
    length,
    maxUnsentBytes: service.limits.maxUnsentBytes,
  });
  if (reply.isPatient === true) flow.timeBy(service.timeouts.patience);
  try {
    await reply.run(sink, { signal: request.signal, draining: service.draining });
    sink.checkLength();
  } catch (error) {
    logBroken(out, error);
    // The client must not take a partial body for a complete one.
    socket.destroy();
    return 'spent';
  } finally {
    flow.timeBy(service.timeouts.stall);
  }
  if (isChunked && socket.writable) socket.write('0\r\n\r\n', 'latin1');
  return sentOf(keepAlive);
}

/** An early disconnect is not logged; a body that failed on the server is. */
function logBroken(out: Outgoing, error: unknown): void {
  if (out.request.cancelled !== undefined) return;
  out.service.log.error('a reply was interrupted', {
    requestId: out.request.id,
    path: out.request.rawPath,
    error,
  });
}
