import { errors, type StatusDetails } from '@orch/machinery';
import {
  type Answer,
  type ApiRequest,
  type BytesReply,
  emptyQuery,
  FailedWithHeaders,
  type HeaderList,
  isWatch,
  type Negotiator,
  parseQuery,
  type Query,
  type Reply,
  type Shape,
  type Trace,
  wantsPretty,
} from '@orch/request';
import type { KindLookup } from '../context/paths.ts';
import { encodeObject } from '../encode/encodings.ts';
import type { ResponseFormat } from '../encode/response-format.ts';
import type { IncludeObject } from '../table/index.ts';

/** The headers of a reply in a format. */
export const headersOf = (format: ResponseFormat): HeaderList => format.representation.headers;

/** Warnings that one request records at most; the reply has room for fewer. */
const MAX_RECORDED = 256;

/** Adds warnings to the trace of a request, whose reply has them also when the request fails. */
export function addWarnings(trace: Trace | undefined, texts: readonly string[]): void {
  if (trace === undefined || texts.length === 0) return;
  trace.warnings ??= new Set();
  for (const text of texts) {
    if (trace.warnings.size >= MAX_RECORDED) return;
    trace.warnings.add(text);
  }
}

/**
 * The total number of characters from which on no warning is added to a reply, and the number of characters to which each
 * warning is cut when the total is exceeded: clients refuse large header sections.
 */
const MAX_WARNINGS = 4096;
const MAX_WARNING = 256;

/** Values of `Warning` headers, within the limits of clients. */
export function boundedWarnings(warnings: readonly string[]): readonly string[] {
  if (warnings.reduce((total, text) => total + lengthOf(text), 0) <= MAX_WARNINGS)
    return warnings.map(warningHeader);
  const taken: string[] = [];
  let total = 0;
  for (const text of warnings) {
    if (total >= MAX_WARNINGS) break;
    total += Math.min(lengthOf(text), MAX_WARNING);
    taken.push(warningHeader(startOf(text)));
  }
  return taken;
}

/** The number of characters: one that has two code units counts once. */
function lengthOf(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length - 1; i++) if ((text.codePointAt(i) ?? 0) > 0xff_ff) pairs++;
  return text.length - pairs;
}

const startOf = (text: string): string =>
  text.length <= MAX_WARNING
    ? text
    : Array.from(text.slice(0, 2 * MAX_WARNING))
        .slice(0, MAX_WARNING)
        .join('');

/**
 * RFC 9111 section 5.5: code 299, no agent. Line breaks and control characters must not reach a header. Clients read the text as
 * UTF-8, and a character of a header is a byte.
 */
export const warningHeader = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed.
  Buffer.from(`299 - ${JSON.stringify(text.replace(/[\u0000-\u001f\u007f]+/g, ' '))}`).toString('latin1');

export const bytesReply = (status: number, format: ResponseFormat, body: Buffer): BytesReply => ({
  kind: 'bytes',
  status,
  headers: headersOf(format),
  body,
});

/** As `bytesReply`, with a body that may take turns. */
export const bodyReply = (
  status: number,
  format: ResponseFormat,
  body: Buffer | Promise<Buffer>,
): BytesReply | Promise<BytesReply> =>
  body instanceof Promise
    ? body.then((bytes) => bytesReply(status, format, bytes))
    : bytesReply(status, format, body);

/** The response format that the client requests. */
export function responseFormatOf(
  request: ApiRequest,
  query: Query,
  negotiator: Negotiator,
  shape: Shape,
): ResponseFormat {
  const representation = negotiator.negotiate(request.headers.accept, shape);
  return {
    representation,
    pretty: representation.encoding === 'json' && !isWatch(shape) && wantsPretty(request),
    include: representation.as === 'table' ? includeObject(query) : 'Metadata',
  };
}

/** Reads `includeObject`, the option of tables; 400 for values that it does not have. */
function includeObject(query: Query): IncludeObject {
  const text = query.get('includeObject') ?? '';
  switch (text) {
    case '':
    case 'Metadata':
      return 'Metadata';
    case 'None':
    case 'Object':
      return text;
    default:
      throw errors.badRequest(
        `includeObject must be None, Metadata or Object, not ${JSON.stringify(text.slice(0, 64))}`,
      );
  }
}

export const queryOf = (request: ApiRequest): Query =>
  request.rawQuery === '' ? emptyQuery : parseQuery(request.rawQuery);

/** The fields of a Status of success. */
export interface Success {
  readonly code: number;
  /** Also writes the code into the Status. */
  readonly showCode?: boolean;
  readonly details?: StatusDetails;
  readonly message?: string;
}

/** A Status of success (facts: success). */
export function successReply(
  kinds: Pick<KindLookup, 'auxiliaryProtobuf'>,
  format: ResponseFormat,
  { code, showCode = false, details, message }: Success,
): BytesReply {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    ...(message === undefined ? {} : { message }),
    ...(details === undefined ? {} : { details }),
    ...(showCode ? { code } : {}),
  };
  const { codec } = kinds.auxiliaryProtobuf('meta', 'v1', 'Status');
  return bytesReply(code, format, encodeObject(status, codec, format));
}

/** Values of `Warning` headers, in addition to those of the reply; read when the reply is complete. */
type Warnings = () => readonly string[];

/** Serves a request and prepends warnings to those of its reply, also when it fails. */
export function withWarnings(serve: () => Answer, warnings: Warnings): Answer {
  try {
    const answer = serve();
    return answer instanceof Promise ? warnedLater(answer, warnings) : warned(answer, warnings);
  } catch (cause) {
    return failed(cause, warnings);
  }
}

// A separate function: a closure in the function above would make every call allocate the scope that it captures.
const warnedLater = (answer: Promise<Reply>, warnings: Warnings): Promise<Reply> =>
  answer.then(
    (reply) => warned(reply, warnings),
    (cause: unknown) => failed(cause, warnings),
  );

function failed(cause: unknown, warnings: Warnings): never {
  const values = warnings();
  if (values.length === 0) throw cause;
  throw cause instanceof FailedWithHeaders
    ? new FailedWithHeaders(cause.cause, withWarningsFirst(cause.headers, values))
    : new FailedWithHeaders(cause, { Warning: values });
}

function warned(reply: Reply, warnings: Warnings): Reply {
  const values = warnings();
  return values.length === 0 ? reply : { ...reply, headers: withWarningsFirst(reply.headers, values) };
}

/** Headers with further warnings before those that they have. */
function withWarningsFirst(headers: HeaderList, values: readonly string[]): HeaderList {
  const others = headers['Warning'] ?? [];
  return { ...headers, Warning: [...values, ...(typeof others === 'string' ? [others] : others)] };
}
