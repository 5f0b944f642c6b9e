/** The target of a proxied request, with the names by which the program may refer to itself. */
export interface ProxiedTarget {
  /** Path of this server that maps to `/` of the program, without a final slash. */
  readonly prefix: string;
  /** Scheme and `host:port` of the program. */
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** The Host of the client's request, which the program receives. */
  readonly clientHost: string | undefined;
  /** Path of the request at the program: the base of relative references. */
  readonly path: string;
}

const absolute = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is;

/**
 * Rewrites a reference of a proxied program for its readers: paths of the program get the prefix; references to another
 * host or scheme are not changed. Dot segments end at the root of the program, so that no program
 * can refer to other paths of this server.
 */
export function rewriteReference(reference: string, target: ProxiedTarget): string {
  const path = ownPath(reference, target);
  if (path === undefined) return reference;
  const resolved = resolve(path, target);
  if (resolved === undefined) return reference;
  return isBelow(resolved, target.prefix) ? resolved : `${target.prefix}${resolved}`;
}

/** Path, query and fragment of a reference to the program itself; undefined for any other. */
function ownPath(reference: string, { host, clientHost, scheme }: ProxiedTarget): string | undefined {
  const match = absolute.exec(reference.startsWith('//') ? `${scheme}:${reference}` : reference);
  if (match === null) return /^[a-z][a-z0-9+.-]*:/i.test(reference) ? undefined : reference;
  const [, , other = '', rest = ''] = match;
  if (other !== host && other !== clientHost) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Resolves `.` and `..`: literal, encoded, and behind backslashes, which browsers read as slashes. */
function resolve(reference: string, target: ProxiedTarget): string | undefined {
  const base = `http://proxied.invalid${target.path}`;
  // A path may begin with two slashes, which would be read as a host.
  const text = reference.startsWith('//') ? `http://proxied.invalid${reference}` : reference;
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  return url.host === 'proxied.invalid' ? `${url.pathname}${url.search}${url.hash}` : undefined;
}

const isBelow = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && ['', '/', '?', '#'].includes(path.charAt(prefix.length));

/**
 * Restricts a cookie of a proxied program: without a domain, and for paths below the prefix only, since all
 * proxied programs share one origin.
 */
export function rewriteCookie(cookie: string, { prefix }: ProxiedTarget): string {
  const [pair = '', ...attributes] = cookie.split(';');
  const kept = attributes.flatMap((attribute) => {
    const [name = '', value = ''] = attribute.split('=', 2).map((part) => part.trim());
    if (name.toLowerCase() === 'domain') return [];
    if (name.toLowerCase() !== 'path') return [attribute];
    if (!value.startsWith('/')) return [];
    return [` Path=${isBelow(value, prefix) ? value : `${prefix}${value}`}`];
  });
  return [pair, ...kept].join(';');
}
