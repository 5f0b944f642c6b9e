import type { Socket } from 'node:net';
import { token } from '@orch/machinery/http';
import { OutboundFailure } from '../message/failures.ts';
import type { OutboundRequest } from '../message/request.ts';
import { written } from '../message/upload.ts';

/** Methods for which an absent body needs no length. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);
/** A field that cannot be taken for another one: a name that is a token, and a value in one line. */
const field = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+: [\t\x20-\x7e\x80-\xff]*$/;
const target = /^[\x21-\x7e]+$/;

/** The head of a request. Throws `OutboundFailure` for one that cannot be written. */
export function requestHead(request: OutboundRequest): string {
  if (!token.test(request.method) || !target.test(request.target))
    throw new OutboundFailure('the request line has invalid characters');
  let head = `${request.method} ${request.target} HTTP/1.1\r\n`;
  for (const name in request.headers) {
    const value = request.headers[name] ?? '';
    if (typeof value === 'string') head += fieldLine(name, value);
    else for (const one of value) head += fieldLine(name, one);
  }
  const { bodyLength } = request;
  if (bodyLength === undefined) return `${head}transfer-encoding: chunked\r\n\r\n`;
  if (bodyLength === 0 && bodiless.has(request.method)) return `${head}\r\n`;
  return `${head}content-length: ${bodyLength}\r\n\r\n`;
}

function fieldLine(name: string, value: string): string {
  const line = `${name}: ${value}`;
  if (!field.test(line)) throw new OutboundFailure('a header field has invalid characters');
  return `${line}\r\n`;
}

/** Writes a request in one piece, which is encrypted at once. */
export function writeAtOnce(socket: Socket, head: string, body: Buffer): void {
  if (body.length === 0) {
    socket.write(head, 'latin1');
    return;
  }
  const bytes = Buffer.allocUnsafe(head.length + body.length);
  bytes.write(head, 'latin1');
  body.copy(bytes, head.length);
  socket.write(bytes);
}

/**
 * Writes the body of a request, no faster than the socket takes it. Returns false when the socket was closed meanwhile;
 * rejects when the body breaks off, or does not have the announced length.
 */
export async function sendBody(
  socket: Socket,
  body: AsyncIterable<Buffer>,
  bodyLength: number | undefined,
): Promise<boolean> {
  let sent = 0;
  for await (const piece of body) {
    if (socket.destroyed) return false;
    // An empty chunk would be the last one.
    if (piece.length === 0) continue;
    sent += piece.length;
    if (bodyLength !== undefined && sent > bodyLength) throw otherLength();
    if (!writePiece(socket, piece, bodyLength === undefined)) await written(socket);
  }
  if (socket.destroyed) return false;
  if (bodyLength === undefined) socket.write('0\r\n\r\n', 'latin1');
  else if (sent !== bodyLength) throw otherLength();
  return true;
}

function writePiece(socket: Socket, piece: Buffer, isChunked: boolean): boolean {
  if (!isChunked) return socket.write(piece);
  socket.cork();
  socket.write(`${piece.length.toString(16)}\r\n`, 'latin1');
  socket.write(piece);
  const isTaken = socket.write('\r\n', 'latin1');
  socket.uncork();
  return isTaken;
}

const otherLength = (): Error => new Error('the body of the request does not have the announced length');
