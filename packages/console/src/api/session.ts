import { type Names, namesFor } from '@orch/machinery';
import { asObject, asText } from '@orch/machinery/json';
import { type Connection, connectTo } from './connection.ts';

/** The connection of the page, and what it may show of it. */
export interface PageSession {
  readonly connection: Connection;
  readonly names: Names;
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
  send: typeof fetch,
  signal: AbortSignal,
): Promise<PageSession> {
  const page = connectTo(new URL('.', base), send);
  const facts = asObject(await page.json({ target: '/session' }, signal));
  const naming = facts['naming'] === 'kubernetes' ? 'kubernetes' : 'orch';
  return {
    connection: connectTo(new URL(asText(facts['api']) || 'server', base), send, naming),
    names: namesFor(naming),
    server: asText(facts['server']) || base.host,
    isReadOnly: facts['isReadOnly'] === true,
    provider: typeof facts['provider'] === 'string' ? facts['provider'] : undefined,
  };
}
