/** Address of a member, or of another server. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Path of the Unix socket to connect to, instead of host and port. It begins with a zero byte in the abstract namespace. */
  readonly socketPath?: string;
  /** As given, for logs and errors. */
  readonly url: string;
}

const DEFAULT_PORT = 2379;

/** The server at a Unix socket, without TLS. */
export const unixEndpoint = (socketPath: string): Endpoint => ({
  host: 'localhost',
  port: 80,
  tls: false,
  socketPath,
  url: `unix://${socketPath.replace(/^\0/, '@')}`,
});

/** Reads `https://host:port`, `http://host:port` or `host:port`. Throws an error that names the bad value. */
export function parseEndpoint(text: string): Endpoint {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  const plain =
    url !== null && (url.pathname === '' || url.pathname === '/') && url.search === '' && url.hash === '';
  if (url === null || !plain || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new Error(`not an etcd endpoint, as in https://host:2379: ${JSON.stringify(text)}`);
  }
  const tls = url.protocol === 'https:';
  const port = url.port === '' ? portOmitted(text, tls) : Number(url.port);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    tls,
    url: `${url.protocol}//${url.hostname}:${port}`,
  };
}

/** `URL` drops the default port of the scheme: 80 and 443 must not become etcd's. */
function portOmitted(text: string, tls: boolean): number {
  const explicit = tls ? /:443\/?$/ : /:80\/?$/;
  if (!explicit.test(text)) return DEFAULT_PORT;
  return tls ? 443 : 80;
}
