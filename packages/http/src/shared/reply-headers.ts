import { STATUS_CODES } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http2';
import type { HeaderList, Reply } from '@orch/request';

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`;

const unsafeValue = /[^\t\u0020-\u007e\u0080-\u00ff]/g;

/** Sanitizes a header value: line ends, and characters that cannot be encoded, become question marks. */
const safeValue = (value: string): string => value.replace(unsafeValue, '?');

const hasOwnCaching = (headers: HeaderList): boolean => headers['Cache-Control'] !== undefined;

/** Replies that have neither body nor length in the protocol. */
export const isBodiless = (status: number): boolean => status === 204 || status === 304 || status < 200;

/** The head of an HTTP/1.1 reply, without the fields about the length of its body. */
export function http1Head(reply: Reply, requestId: string, date: string): string {
  let head = statusLine(reply.status);
  head += `Audit-Id: ${requestId}\r\n`;
  if (!hasOwnCaching(reply.headers)) head += 'Cache-Control: no-cache, private\r\n';
  for (const name in reply.headers) {
    const value = reply.headers[name];
    if (typeof value === 'string') head += `${name}: ${safeValue(value)}\r\n`;
    else for (const one of value ?? []) head += `${name}: ${safeValue(one)}\r\n`;
  }
  return `${head}Date: ${date}\r\nX-Content-Type-Options: nosniff\r\n`;
}

/** The header fields of an HTTP/2 reply, without the length. */
export function http2Headers(reply: Reply, requestId: string, date: string): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ':status': reply.status, 'audit-id': requestId };
  if (!hasOwnCaching(reply.headers)) headers['cache-control'] = 'no-cache, private';
  for (const name in reply.headers) {
    const value = reply.headers[name];
    if (value !== undefined)
      headers[name.toLowerCase()] = typeof value === 'string' ? safeValue(value) : value.map(safeValue);
  }
  headers['date'] = date;
  headers['x-content-type-options'] = 'nosniff';
  return headers;
}
