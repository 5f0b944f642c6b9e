import type { ServerHttp2Stream } from 'node:http2';
import type { BytesReply, ChunksReply, Reply, StreamReply, UpgradeReply } from '@orch/request';
import type { Flow } from '../shared/flow.ts';
import { pump } from '../shared/pump.ts';
import { http2Headers, isBodiless } from '../shared/reply-headers.ts';
import type { HttpService } from '../shared/service.ts';
import type { Http2Request } from './request.ts';
import { Http2Sink } from './sink.ts';

/** The stream and the shared service of a reply. */
export interface Http2Outgoing {
  readonly stream: ServerHttp2Stream;
  readonly flow: Flow;
  readonly service: HttpService;
  readonly request: Http2Request;
}

/** Writes a reply to its stream; does nothing when the client has reset it. Never rejects. */
export function sendHttp2Reply(out: Http2Outgoing, reply: Reply): void | Promise<void> {
  if (out.stream.destroyed || out.stream.closed || out.stream.headersSent) {
    if (reply.kind === 'chunks') reply.onSent?.(0, false);
    else if (reply.kind === 'upgrade') reply.abandon();
    return;
  }
  // Requests over HTTP/2 cannot be upgraded: their `upgrade` is undefined, so no handler returns such a reply.
  if (reply.kind === 'upgrade') throw new TypeError('an HTTP/2 stream cannot change its protocol');
  if (out.request.method === 'HEAD' || isBodiless(reply.status)) return sendHeadOnly(out, reply);
  switch (reply.kind) {
    case 'bytes':
      return sendBytes(out, reply);
    case 'chunks':
      return sendChunks(out, reply);
    case 'stream':
      return sendStream(out, reply);
  }
}

const headersOf = (out: Http2Outgoing, reply: Reply, length: number | undefined) => {
  const headers = http2Headers(reply, out.request.id, out.service.date());
  if (length !== undefined && !isBodiless(reply.status)) headers['content-length'] = String(length);
  return headers;
};

function sendHeadOnly(out: Http2Outgoing, reply: Exclude<Reply, UpgradeReply>): void {
  const length = reply.kind === 'bytes' ? reply.body.length : reply.length;
  out.stream.respond(headersOf(out, reply, length), { endStream: true });
  if (reply.kind === 'chunks') reply.onSent?.(0, true);
}

function sendBytes({ stream, ...out }: Http2Outgoing, reply: BytesReply): void {
  stream.respond(headersOf({ stream, ...out }, reply, reply.body.length));
  stream.end(reply.body);
  out.flow.ending();
}

async function sendChunks(out: Http2Outgoing, reply: ChunksReply): Promise<void> {
  const { stream, flow, request, service } = out;
  let sent = 0;
  let isComplete = false;
  try {
    stream.respond(headersOf(out, reply, reply.length));
    const pumped = await pump(reply.chunks, {
      write(slice, written) {
        stream.write(slice, written);
        sent += slice.length;
        return flow.isOpen();
      },
      drained: () => flow.drained(),
      isGone: () => stream.destroyed || stream.closed,
      slices: service.slices,
      turns: service.turns,
    });
    isComplete = pumped.complete;
  } catch (error) {
    logBroken(service, request, error);
  }
  if (isComplete) {
    stream.end();
    flow.ending();
  } else {
    stream.destroy();
  }
  reply.onSent?.(sent, isComplete);
}

async function sendStream(out: Http2Outgoing, reply: StreamReply): Promise<void> {
  const { stream, flow, request, service } = out;
  try {
    stream.respond(headersOf(out, reply, reply.length));
    if (reply.isPatient === true) flow.timeBy(service.timeouts.patience);
    const sink = new Http2Sink(stream, flow, service.limits.maxUnsentBytes);
    await reply.run(sink, { signal: request.signal, draining: service.draining });
    if (stream.writable) stream.end();
    flow.ending();
  } catch (error) {
    logBroken(service, request, error);
    stream.destroy();
  }
}

function logBroken(service: HttpService, request: Http2Request, error: unknown): void {
  if (request.cancelled !== undefined) return;
  service.log.error('a reply was interrupted', {
    requestId: request.id,
    path: request.rawPath,
    error,
  });
}
