import { errors } from '@orch/machinery';

/** The name in a proxy request: `[http|https:]NAME[:port]`, where `:NAME:port` is allowed too. */
export interface ProxiedName {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  /** Number or name of a port; empty when none is given. */
  readonly port: string;
}

/** Parses the name in a request for `proxy`; 400 when it is malformed. `kind` is for the message. */
export function parseProxiedName(text: string, kind: string): ProxiedName {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] =
    parts.length === 1 ? ['', ...parts] : parts.length === 2 ? ['', ...parts] : parts;
  if (parts.length > 3 || name === '' || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) {
    throw errors.badRequest(`invalid ${kind} request ${JSON.stringify(text.slice(0, 300))}`);
  }
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

/** Parses a port number; undefined for any other text. */
export function portNumber(text: string): number | undefined {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}
