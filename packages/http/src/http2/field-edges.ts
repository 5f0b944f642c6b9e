import type { IncomingHttpHeaders } from 'node:http2';

/** The head of a request: its fields by name, and names and values in turn, as received. */
export interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  readonly fields: readonly string[];
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

const hasBlankEdge = (value: string): boolean =>
  isBlank(value.charCodeAt(0)) || isBlank(value.charCodeAt(value.length - 1));

/**
 * Removes the blanks around values, as the parser of HTTP/1.1 does (RFC 9110 section 5.5), so that a request means the same over
 * both protocols: `Bearer TOKEN ` is a user in both.
 */
export function withoutFieldEdges(head: RequestHead): RequestHead {
  if (!head.fields.some(hasBlankEdge)) return head;
  const headers: IncomingHttpHeaders = { ...head.headers };
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') headers[name] = value.trim();
    else if (value !== undefined) headers[name] = value.map((one) => one.trim());
  }
  return { headers, fields: head.fields.map((field) => field.trim()) };
}
