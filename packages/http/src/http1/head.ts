import type { IncomingHttpHeaders } from 'node:http';

/** A malformed head: status and text of the reply, after which the connection ends. */
export interface HeadProblem {
  readonly status: 400 | 408 | 417 | 431 | 501 | 505;
  readonly problem: string;
}

/** The first line of a request. `rawPath` begins with a slash. */
export interface RequestLine {
  readonly method: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly minorVersion: 0 | 1;
}

/** Header fields of a request, and what follows from them for message and connection. Shared between requests: frozen. */
export interface HeaderBlock {
  readonly headers: IncomingHttpHeaders;
  /** The values of repeated fields; undefined when there are none. */
  readonly repeated: ReadonlyMap<string, readonly string[]> | undefined;
  /** Length of the body in bytes; undefined when it is chunked. 0 without a body. */
  readonly contentLength: number | undefined;
  readonly expectsContinue: boolean;
  readonly connectionClose: boolean;
  readonly connectionKeepAlive: boolean;
  readonly connectionUpgrade: boolean;
  readonly hasHost: boolean;
  readonly hasTransferEncoding: boolean;
}

const problem = (status: HeadProblem['status'], text: string): HeadProblem => ({ status, problem: text });

export const isProblem = (value: object): value is HeadProblem => 'problem' in value;

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
const badTarget = /[\u0000-\u0020\u007f-\u00ff#]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
const badValue = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const absoluteForm = /^https?:\/\/[^/?#]+/i;

/** Reads `METHOD SP target SP HTTP/1.x` (RFC 9112 section 3), without the line's end. */
export function parseRequestLine(line: string): RequestLine | HeadProblem {
  const first = line.indexOf(' ');
  const last = line.lastIndexOf(' ');
  if (first <= 0 || first === last || line.indexOf(' ', first + 1) !== last)
    return problem(400, 'malformed request line');
  const method = line.slice(0, first);
  if (!token.test(method)) return problem(400, 'malformed request method');
  const version = line.slice(last + 1);
  if (version !== 'HTTP/1.1' && version !== 'HTTP/1.0') {
    return /^HTTP\/\d\.\d$/.test(version)
      ? problem(505, 'only HTTP/1.0, HTTP/1.1 and HTTP/2 are supported')
      : problem(400, 'malformed protocol version');
  }
  let target = line.slice(first + 1, last);
  if (target.charCodeAt(0) !== 0x2f) {
    const origin = absoluteForm.exec(target);
    if (origin === null) return problem(400, 'the request target must be a path or an absolute URL');
    const path = target.slice(origin[0].length);
    target = path.startsWith('/') ? path : `/${path}`;
  }
  if (badTarget.test(target))
    return problem(400, 'the request target holds characters that must be percent-encoded');
  const mark = target.indexOf('?');
  return {
    method,
    rawPath: mark < 0 ? target : target.slice(0, mark),
    rawQuery: mark < 0 ? '' : target.slice(mark + 1),
    minorVersion: version === 'HTTP/1.1' ? 1 : 0,
  };
}

/** Fields that must not be repeated: two parsers could use different values. */
const singular: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'expect',
  'host',
  'transfer-encoding',
]);

/**
 * Parses the header fields (RFC 9112 section 5): `text` is everything between the first line and the empty line, each
 * field with its line end. Folded lines, spaces before the colon and control characters are refused.
 */
export function parseHeaderBlock(text: string, maxFields: number): HeaderBlock | HeadProblem {
  const headers: Record<string, string> = Object.create(null);
  let fields = 0;
  let repeated: Map<string, string[]> | undefined;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n', at);
    const colon = text.indexOf(':', at);
    if (end < 0 || colon <= at || colon > end) return problem(400, 'malformed header field');
    if (++fields > maxFields) return problem(431, `more than ${maxFields} header fields`);
    const written = text.slice(at, colon);
    if (!token.test(written)) return problem(400, 'malformed header field name');
    const value = trimmed(text, colon + 1, end);
    if (badValue.test(value)) return problem(400, 'a header field holds control characters');
    const name = written.toLowerCase();
    const earlier = headers[name];
    if (earlier === undefined) headers[name] = value;
    else if (singular.has(name)) return problem(400, `header field ${name} is repeated`);
    else {
      repeated ??= new Map();
      const values = repeated.get(name);
      if (values === undefined) repeated.set(name, [earlier, value]);
      else values.push(value);
      headers[name] = `${earlier}${name === 'cookie' ? '; ' : ', '}${value}`;
    }
    at = end + 2;
  }
  return framing(headers, repeated);
}

function trimmed(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** The framing of the body (RFC 9112 section 6): Content-Length, chunked, or none, never both. */
function framing(
  headers: Record<string, string>,
  repeated: HeaderBlock['repeated'],
): HeaderBlock | HeadProblem {
  const length = headers['content-length'];
  const encoding = headers['transfer-encoding'];
  const expect = headers['expect'];
  if (length !== undefined && encoding !== undefined)
    return problem(400, 'both Content-Length and Transfer-Encoding');
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return problem(400, 'malformed Content-Length');
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') {
    return problem(501, 'the only transfer encoding understood is "chunked"');
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return problem(417, 'the only expectation understood is "100-continue"');
  }
  const options = (headers['connection'] ?? '').toLowerCase();
  return Object.freeze({
    headers: Object.freeze(headers),
    repeated,
    contentLength: encoding === undefined ? Number(length ?? 0) : undefined,
    expectsContinue: expect !== undefined,
    connectionClose: options !== '' && hasOption(options, 'close'),
    connectionKeepAlive: options !== '' && hasOption(options, 'keep-alive'),
    connectionUpgrade: options !== '' && hasOption(options, 'upgrade'),
    hasHost: headers['host'] !== undefined,
    hasTransferEncoding: encoding !== undefined,
  });
}

const hasOption = (list: string, option: string): boolean =>
  list.split(',').some((one) => one.trim() === option);

/** Conditions on line and fields together. */
export function checkTogether(line: RequestLine, block: HeaderBlock): HeadProblem | undefined {
  if (line.minorVersion === 1 && !block.hasHost) return problem(400, 'the Host header field is missing');
  if (line.minorVersion === 0 && block.hasTransferEncoding)
    return problem(400, 'Transfer-Encoding in an HTTP/1.0 request');
  return undefined;
}
