import type { IncomingHttpHeaders } from 'node:http';
import {
  framingOf,
  type HeaderFields,
  type HeadGrammar,
  type HeadProblem,
  hasOption,
  isProblem,
  headProblem as problem,
  token,
} from '@orch/machinery/http';

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

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
const badTarget = /[\u0000-\u0020\u007f-\u00ff#]/;
const absoluteForm = /^https?:\/\/[^/?#]+/i;

/** Reads `METHOD SP target SP HTTP/1.x` (RFC 9112 section 3), without the line's end. */
function parseRequestLine(line: string): RequestLine | HeadProblem {
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
  if (badTarget.test(target))
    return problem(400, 'the request target contains characters that must be percent-encoded');
  if (target.charCodeAt(0) !== 0x2f) {
    const origin = absoluteForm.exec(target);
    if (origin === null) return problem(400, 'the request target must be a path or an absolute URL');
    const path = target.slice(origin[0].length);
    target = path.startsWith('/') ? path : `/${path}`;
  }
  const mark = target.indexOf('?');
  return {
    method,
    rawPath: mark < 0 ? target : target.slice(0, mark),
    rawQuery: mark < 0 ? '' : target.slice(mark + 1),
    minorVersion: version === 'HTTP/1.1' ? 1 : 0,
  };
}

/** The meaning of a request's header fields for body and connection. */
function requestBlock(fields: HeaderFields): HeaderBlock | HeadProblem {
  const { headers, repeated } = fields;
  const framing = framingOf(fields);
  if (typeof framing === 'object' && isProblem(framing)) return framing;
  const { connection, expect } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return problem(417, 'the only supported expectation is "100-continue"');
  return Object.freeze({
    headers: Object.freeze(headers),
    repeated,
    contentLength: framing === 'chunked' ? undefined : framing === 'none' ? 0 : framing.length,
    expectsContinue: expect !== undefined,
    connectionClose: hasOption(connection, 'close'),
    connectionKeepAlive: hasOption(connection, 'keep-alive'),
    connectionUpgrade: hasOption(connection, 'upgrade'),
    hasHost: headers['host'] !== undefined,
    hasTransferEncoding: framing === 'chunked',
  });
}

/** Conditions on line and fields together. */
function checkTogether(line: RequestLine, block: HeaderBlock): HeadProblem | undefined {
  if (line.minorVersion === 1 && !block.hasHost) return problem(400, 'the Host header field is missing');
  if (line.minorVersion === 0 && block.hasTransferEncoding)
    return problem(400, 'Transfer-Encoding in an HTTP/1.0 request');
  return undefined;
}

/** The heads of requests. Header fields are frozen, because requests share them. */
export const requestHeads: HeadGrammar<RequestLine, HeaderBlock> = {
  line: parseRequestLine,
  block: requestBlock,
  together: checkTogether,
};
