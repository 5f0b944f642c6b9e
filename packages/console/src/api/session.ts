import { namesFor } from '@orch/machinery';
import { asObject, asText } from '@orch/machinery/json';
import { type Connection, connectTo } from './connection.ts';
import type { SocketAddress } from './sockets.ts';

/** How requests are sent, and the token of their user. */
export interface PageIdentity extends Pick<SocketAddress, 'token'> {
  readonly send: typeof fetch;
}

/** The connection of the page, and what it may show of it. */
export interface PageSession extends SocketAddress {
  readonly connection: Connection;
  /** The program that serves the page, where it opens ports of pods on this machine. */
  readonly ports: Connection | undefined;
  /** The address of the API server. */
  readonly server: string;
  /** Whether the program that serves the page refuses writes. */
  readonly isReadOnly: boolean;
  /** The URL of the provider where users log in, or empty without one; undefined where the program that serves the page has credentials. */
  readonly provider: string | undefined;
}

/** Reads what the program that serves the page at `base` connects to. */
export async function openPageSession(
  base: URL,
  { send, token }: PageIdentity,
  signal: AbortSignal,
): Promise<PageSession> {
  const page = connectTo(new URL('.', base), send);
  const facts = asObject(await page.json({ target: '/session' }, signal));
  const naming = facts['naming'] === 'kubernetes' ? 'kubernetes' : 'orch';
  const api = new URL(asText(facts['api']) || 'server', base);
  return {
    ...{ api, token },
    connection: connectTo(api, send, naming),
    ports: facts['opensPorts'] === true ? page : undefined,
    names: namesFor(naming),
    server: asText(facts['server']) || base.host,
    isReadOnly: facts['isReadOnly'] === true,
    provider: typeof facts['provider'] === 'string' ? facts['provider'] : undefined,
  };
}
