/** A malformed head, with the response that a server sends before it closes the connection. */
export interface HeadProblem {
  readonly status: 400 | 408 | 417 | 431 | 501 | 505;
  readonly problem: string;
}

/** The header fields of a message, by names in lower case. */
export interface HeaderFields {
  readonly headers: Readonly<Record<string, string>>;
  /** The values of repeated fields; undefined when there are none. */
  readonly repeated: ReadonlyMap<string, readonly string[]> | undefined;
}

/** The body according to the header fields (RFC 9112 section 6). */
export type Framing = 'chunked' | 'none' | { readonly length: number };

export const headProblem = (status: HeadProblem['status'], problem: string): HeadProblem => ({
  status,
  problem,
});

export const isProblem = (value: object): value is HeadProblem => 'problem' in value;

/** Names of methods and header fields. */
export const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
const badValue = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Fields that must not be repeated: two parsers could use different values. */
const singularFields: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'expect',
  'host',
  'transfer-encoding',
]);

/** Fields that determine where a message ends. */
export const framingFields: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

/**
 * Parses header fields (RFC 9112 section 5): `text` is everything between the first line and the empty line, each field with
 * its line end. Folded lines, spaces before the colon, control characters and repeated `singular` fields are refused.
 */
export function parseHeaderFields(
  text: string,
  maxFields: number,
  singular = singularFields,
): HeaderFields | HeadProblem {
  const headers: Record<string, string> = Object.create(null);
  let fields = 0;
  let repeated: Map<string, string[]> | undefined;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n', at);
    const colon = text.indexOf(':', at);
    if (end < 0 || colon <= at || colon > end) return headProblem(400, 'malformed header field');
    if (++fields > maxFields) return headProblem(431, `more than ${maxFields} header fields`);
    const written = text.slice(at, colon);
    if (!token.test(written)) return headProblem(400, 'malformed header field name');
    const value = trimmed(text, colon + 1, end);
    if (badValue.test(value)) return headProblem(400, 'a header field contains control characters');
    const name = written.toLowerCase();
    const earlier = headers[name];
    if (earlier === undefined) headers[name] = value;
    else if (singular.has(name)) return headProblem(400, `header field ${name} is repeated`);
    else {
      repeated ??= new Map();
      const values = repeated.get(name);
      if (values === undefined) repeated.set(name, [earlier, value]);
      else values.push(value);
      headers[name] = `${earlier}${name === 'cookie' ? '; ' : ', '}${value}`;
    }
    at = end + 2;
  }
  return { headers, repeated };
}

function trimmed(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** The framing of the body: Content-Length, chunked, or none of both, never both. */
export function framingOf({ headers }: HeaderFields): Framing | HeadProblem {
  const length = headers['content-length'];
  const encoding = headers['transfer-encoding'];
  if (length !== undefined && encoding !== undefined)
    return headProblem(400, 'both Content-Length and Transfer-Encoding');
  if (length !== undefined)
    return /^\d{1,15}$/.test(length)
      ? { length: Number(length) }
      : headProblem(400, 'malformed Content-Length');
  if (encoding === undefined) return 'none';
  if (encoding.toLowerCase() === 'chunked') return 'chunked';
  return headProblem(501, 'the only supported transfer encoding is "chunked"');
}

/** Reports whether a list of options, such as the field Connection, contains one. */
export const hasOption = (list: string | undefined, option: string): boolean =>
  (list ?? '')
    .toLowerCase()
    .split(',')
    .some((one) => one.trim() === option);
