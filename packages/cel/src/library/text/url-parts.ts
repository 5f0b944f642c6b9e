/** A URL as the reference servers parse it, with less normalization than that of the platform's `URL`. */
export interface UrlParts {
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  readonly escapedPath: string;
  readonly query: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no URL has them
const control = /[\x00-\x1f\x7f]/;
const userInfo = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
/** Characters of a host; beyond ASCII everything is accepted. */
const hostText = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"\u0080-\uffff]|%25|%[89A-Fa-f][0-9A-Fa-f])*$/;
const badEscape = /%(?![0-9A-Fa-f]{2})/;

/**
 * Parses an absolute URL or path. With `fragments`, everything after a `#` is omitted; otherwise it is part of path or
 * query. Returns the error when the string is not a URL.
 */
export function parseUrl(text: string, { fragments }: { readonly fragments: boolean }): UrlParts | string {
  if (control.test(text)) return 'invalid control character in URL';
  const hash = fragments ? text.indexOf('#') : -1;
  const whole = hash < 0 ? text : text.slice(0, hash);
  if (whole === '') return 'empty url';
  if (whole === '*') return { scheme: '', host: '', escapedPath: '*', query: '' };
  const colon = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(whole);
  if (whole.startsWith(':')) return 'missing protocol scheme';
  const scheme = (colon?.[1] ?? '').toLowerCase();
  const afterScheme = colon === null ? whole : whole.slice(colon[0].length);
  const question = afterScheme.indexOf('?');
  const query = question < 0 ? '' : afterScheme.slice(question + 1);
  const rest = question < 0 ? afterScheme : afterScheme.slice(0, question);
  if (!rest.startsWith('/')) {
    return scheme === '' ? 'invalid URI for request' : { scheme, host: '', escapedPath: '', query };
  }
  return withAuthority({ scheme, query, rest });
}

interface Split {
  readonly scheme: string;
  readonly query: string;
  readonly rest: string;
}

function withAuthority({ scheme, query, rest }: Split): UrlParts | string {
  const hasAuthority = scheme !== '' && rest.startsWith('//');
  const slash = hasAuthority ? rest.indexOf('/', 2) : 0;
  const authority = hasAuthority ? rest.slice(2, slash < 0 ? undefined : slash) : '';
  const path = slash < 0 ? '' : rest.slice(slash);
  const at = authority.lastIndexOf('@');
  if (!userInfo.test(authority.slice(0, Math.max(0, at)))) return 'net/url: invalid userinfo';
  const host = authority.slice(at + 1);
  const problem = hostProblem(host);
  if (problem !== undefined) return problem;
  if (badEscape.test(path)) return 'invalid URL escape in path';
  return { scheme, host: decode(host), escapedPath: escapePath(path), query };
}

function hostProblem(host: string): string | undefined {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0) return "missing ']' in host";
    if (!isPort(host.slice(end + 1))) return `invalid port after host`;
  } else {
    const colon = host.lastIndexOf(':');
    if (colon >= 0 && !isPort(host.slice(colon)))
      return `invalid port ${JSON.stringify(host.slice(colon))} after host`;
  }
  return hostText.test(host) ? undefined : 'invalid character in host name';
}

const isPort = (text: string): boolean => text === '' || /^:\d*$/.test(text);

/** The path as written, with escapes for characters that need them. */
function escapePath(path: string): string {
  const valid = /^[A-Za-z0-9\-._~!$&'()*+,;=:@[\]%/]*$/.test(path);
  if (valid) return path;
  return Array.from(Buffer.from(decode(path)), (byte) => {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9\-._~$&+,/:;=@]/.test(character)) return character;
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/** Bytes that are not UTF-8 become replacement characters. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = Buffer.concat(
    text
      .split(/(%[0-9A-Fa-f]{2})/)
      .map((part) =>
        /^%[0-9A-Fa-f]{2}$/.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part),
      ),
  );
  return bytes.toString('utf8');
}

export function hostname(host: string): string {
  const colon = host.lastIndexOf(':');
  const bare = colon >= 0 && /^:\d*$/.test(host.slice(colon)) ? host.slice(0, colon) : host;
  return bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : bare;
}

export function port(host: string): string {
  return /:(\d*)$/.exec(host.replace(/^\[[^\]]*\]/, ''))?.[1] ?? '';
}

/** Names and values of a query in their order; parts that cannot be read are left out. */
export function queryValues(query: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';') || badEscape.test(part)) continue;
    const [name = '', value = ''] = /^([^=]*)=?([\s\S]*)$/.exec(part)?.slice(1) ?? [];
    const [key, text] = [name, value].map((each) => decode(each.replaceAll('+', ' ')));
    if (key === undefined || text === undefined) continue;
    const known = values.get(key);
    if (known === undefined) values.set(key, [text]);
    else known.push(text);
  }
  return values;
}
