import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Naming, namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import type { Client } from '../../client.ts';
import { type ClientOptions, createClient } from '../../create-client.ts';
import { http1Peer, type Peer, settingsFor, transportTo } from '../../transport/testing/peers.ts';

/** A request as received by the server. */
export interface Seen {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A response of a test server; `body` is sent as JSON unless it is text. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Served extends AsyncDisposable {
  readonly client: Client;
  readonly peer: Peer;
  readonly env: ReturnType<typeof testEnv>;
  /** In order of arrival. */
  readonly seen: Seen[];
}

type Respond = (request: Seen, response: ServerResponse) => Reply | undefined;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += chunk;
  return text;
}

/**
 * A client of a server whose responses a test defines, on a fake clock. A test that writes the response itself returns
 * undefined.
 */
export async function served(
  respond: Respond,
  options: Partial<ClientOptions> & { readonly naming?: Naming } = {},
): Promise<Served> {
  const seen: Seen[] = [];
  const env = testEnv();
  const peer = await http1Peer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const one = { method, target: url, headers, body: await bodyOf(request) };
    seen.push(one);
    const reply = respond(one, response);
    if (reply === undefined) return;
    const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {});
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(body);
  });
  const { naming = 'orch', ...rest } = options;
  const transport = transportTo(settingsFor(peer.url), { clock: env.clock });
  const client = createClient({ transport, names: namesFor(naming), env, userAgent: 'test/1', ...rest });
  return {
    client,
    peer,
    env,
    seen,
    async [Symbol.asyncDispose]() {
      await transport.close();
      await peer[Symbol.asyncDispose]();
    },
  };
}

export const configMaps = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
} as const;

export const nodes = {
  group: '',
  version: 'v1',
  resource: 'nodes',
  kind: 'Node',
  namespaced: false,
} as const;

export const deployments = {
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  kind: 'Deployment',
  namespaced: true,
} as const;
