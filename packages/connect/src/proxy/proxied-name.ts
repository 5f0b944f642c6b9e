import { errors } from '@orch/machinery';

/** What a request to be passed on names: `[http|https:]NAME[:port]`, where `:NAME:port` is allowed too. */
export interface ProxiedName {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  /** Number or name of a port; empty when none is given. */
  readonly port: string;
}

/** Takes the name of a request for `proxy` apart; 400 when it has another form. `kind` is for people. */
export function parseProxiedName(text: string, kind: string): ProxiedName {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] =
    parts.length === 1 ? ['', ...parts] : parts.length === 2 ? ['', ...parts] : parts;
  if (parts.length > 3 || name === '' || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) {
    throw errors.badRequest(`invalid ${kind} request ${JSON.stringify(text.slice(0, 300))}`);
  }
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

/** The number of a port given as text; undefined when it is none. */
export function portNumber(text: string): number | undefined {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}
