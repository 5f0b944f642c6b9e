import type { Client } from '../client.ts';
import { type ClientOptions, createClient as clientOf } from '../create-client.ts';

/** Creates a client of the server that `loadConfig` finds, and rejects as that does. The caller closes `client.transport`. */
export function createClient(): Promise<Client>;
/**
 * Creates the client of one identity for one server: from a loaded configuration, or from a transport. The caller closes the
 * transport.
 */
export function createClient(options: ClientOptions): Client;
export function createClient(options?: ClientOptions): Client | Promise<Client> {
  return options === undefined ? loadedClient() : clientOf(options);
}

/** Programs with other configurations do not load the code that finds one. */
async function loadedClient(): Promise<Client> {
  const { loadConfig } = await import('./load-config.ts');
  return clientOf(await loadConfig());
}
