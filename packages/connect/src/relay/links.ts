/** The target of a proxied program in this server's paths, and by what names it may call itself. */
export interface ProxiedTarget {
  /** Path of this server under which the program's `/` lies, without a slash at its end. */
  readonly prefix: string;
  /** The program's own scheme and `host:port`. */
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** The Host that the client asked for, and the program was told. */
  readonly clientHost: string | undefined;
  /** Path of the request as the program sees it: what relative references are relative to. */
  readonly path: string;
}

const absolute = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is;

/**
 * A reference of a proxied program as its reader must see it: paths of the program get the prefix, whatever leads to
 * another host or has another scheme stays as it is. Steps upwards end at the program's own root, so that no program
 * sends its readers to other paths of this server.
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

/** Without `.` and `..`: neither as such, nor encoded, nor behind backslashes, which browsers read as slashes. */
function resolve(reference: string, target: ProxiedTarget): string | undefined {
  const base = `http://proxied.invalid${target.path}`;
  // A path may begin with two slashes; read as it stands it would name a host.
  const text = reference.startsWith('//') ? `http://proxied.invalid${reference}` : reference;
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  return url.host === 'proxied.invalid' ? `${url.pathname}${url.search}${url.hash}` : undefined;
}

const isBelow = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && ['', '/', '?', '#'].includes(path.charAt(prefix.length));

/**
 * A cookie of a proxied program, bound to its target: without a domain, and for paths below the prefix only, since all
 * proxied programs share one origin with each other.
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
