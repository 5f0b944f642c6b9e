import type { Client } from '@orch/client';
import { browserEnv, createClient, fetchTransport, TransportError } from '@orch/client/browser';
import { type Naming, namesFor } from '@orch/machinery';

/** A request of the API. `target` is its path and query, percent-encoded. */
export interface ServerRequest {
  readonly method?: string;
  readonly target: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
}

/**
 * The requests of the page to the API server, through the program that serves the page. Rejects with `ApiError` for failures that a
 * server reports, with `TransportError` without an answer, and with the reason of the signal.
 */
export class Connection {
  /** The verbs of resources. */
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async json(request: ServerRequest, signal: AbortSignal): Promise<unknown> {
    const value = await this.client.raw(sent(request), signal);
    if (typeof value === 'string') throw new TransportError('noEffect', 'the answer is not JSON');
    return value;
  }

  async text(request: ServerRequest, signal: AbortSignal): Promise<string> {
    return new TextDecoder().decode(await this.client.rawBody(sent(request), signal));
  }

  /** The parts of a text, as they arrive. `onOpen` is called when the server has accepted the request. */
  async *parts(
    request: ServerRequest,
    signal: AbortSignal,
    onOpen: () => void,
  ): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder();
    for await (const chunk of this.client.rawStream({ ...sent(request), onOpen }, signal))
      yield decoder.decode(chunk, { stream: true });
  }
}

/** A connection to the server at an address, whose requests `send` sends. */
export function connectTo(server: string | URL, send: typeof fetch, naming: Naming = 'orch'): Connection {
  const transport = fetchTransport({ server, fetch: send });
  const env = browserEnv();
  return new Connection(createClient({ transport, env, names: namesFor(naming), userAgent: 'console' }));
}

const sent = ({ method = 'GET', target, accept = 'application/json', contentType, body }: ServerRequest) => ({
  ...{ method, target },
  headers: { accept, ...(contentType !== undefined && { 'content-type': contentType }) },
  ...(body !== undefined && { body: new TextEncoder().encode(body) }),
});
