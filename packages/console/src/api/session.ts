import { type Names, namesFor } from '@orch/machinery';
import { asObject, asText } from '@orch/machinery/json';
import { Connection } from './connection.ts';

/** The connection of the page, and what it may show of it. */
export interface PageSession {
  readonly connection: Connection;
  readonly names: Names;
  /** The address of the API server. */
  readonly server: string;
  /** Whether the program that serves the page refuses writes. */
  readonly isReadOnly: boolean;
}

/** Reads what the program that serves the page at `base` connects to. */
export async function openPageSession(
  base: URL,
  send: typeof fetch,
  signal: AbortSignal,
): Promise<PageSession> {
  const page = new Connection(new URL('.', base).href.replace(/\/$/, ''), send);
  const facts = asObject(await page.json({ target: '/session' }, signal));
  return {
    connection: new Connection(new URL('server', base).href, send),
    names: namesFor(facts['naming'] === 'kubernetes' ? 'kubernetes' : 'orch'),
    server: asText(facts['server']),
    isReadOnly: facts['isReadOnly'] === true,
  };
}
