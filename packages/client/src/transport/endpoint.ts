/** The address of a server. */
export interface Endpoint {
  /** `https://host:6443`, for messages. */
  readonly origin: string;
  readonly isSecure: boolean;
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** For the `Host` header, without the default port. */
  readonly authority: string;
  /** Prefix of the path of every request; empty, or without a trailing slash. */
  readonly basePath: string;
}

/** Parses an absolute `http` or `https` URL. Throws a TypeError with the reason. */
export function parseEndpoint(server: string): Endpoint {
  const url = URL.parse(server);
  if (url === null) throw new TypeError(`server: ${JSON.stringify(server)} is not an absolute URL`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError(`server: the scheme of ${url.origin} must be http or https`);
  if (url.username !== '' || url.password !== '')
    throw new TypeError(`server: ${url.origin} must not contain a user or a password`);
  const isSecure = url.protocol === 'https:';
  return {
    origin: url.origin,
    isSecure,
    host: withoutBrackets(url.hostname),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    authority: url.host,
    basePath: url.pathname.replace(/\/+$/, ''),
  };
}

export const withoutBrackets = (hostname: string): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;

export const isIpv6 = (host: string): boolean => host.includes(':');

/** Dotted decimal, as normalized by the URL parser. */
export const isIpv4 = (host: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);

export const isAddress = (host: string): boolean => isIpv4(host) || isIpv6(host);

/** `host:port`, with brackets around an IPv6 address. */
export const hostAndPort = ({ host, port }: Pick<Endpoint, 'host' | 'port'>): string =>
  isIpv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
