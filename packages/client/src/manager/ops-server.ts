import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Env, messageOf } from '@orch/machinery';

/** The plain HTTP port of a manager: health and metrics. */
export interface OpsOptions {
  /** A free one with 0. */
  readonly port: number;
  /** The address to listen on; `127.0.0.1` when absent. Probes of a cluster need that of the pod: `0.0.0.0`. */
  readonly host?: string;
  /** Called with the address when the port is open. */
  readonly onListening?: (url: string) => void;
}

/** The state that the port reports: undefined when all is well, otherwise the problem. */
export interface OpsState {
  /** For `/healthz`: the process has to be started again. */
  unhealthy(): string | undefined;
  /** For `/readyz`: the process does not do its work yet. */
  unready(): string | undefined;
}

const MAX_CONNECTIONS = 64;
/** A client that sends its request slower is disconnected. */
const REQUEST_MS = 10_000;

/** Serves `/healthz`, `/livez`, `/readyz` and `/metrics` until the signal aborts. Rejects when the port cannot be opened. */
export async function serveOps(
  { port, host = '127.0.0.1', onListening }: OpsOptions,
  { env, state }: { readonly env: Env; readonly state: OpsState },
  signal: AbortSignal,
): Promise<void> {
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    (request, response) => {
      answer(request, response, env, state).catch((error: unknown) => send(response, 500, messageOf(error)));
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening');
  const { port: opened } = server.address() as AddressInfo;
  onListening?.(`http://${host.includes(':') ? `[${host}]` : host}:${opened}`);
  const closed = once(server, 'close');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
  await closed;
}

async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  env: Env,
  state: OpsState,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') return send(response, 405, 'the method must be GET');
  switch (url.split('?', 1)[0]) {
    case '/healthz':
    case '/livez':
      return report(response, state.unhealthy());
    case '/readyz':
      return report(response, state.unhealthy() ?? state.unready());
    case '/metrics':
      return send(response, 200, await env.metrics.exposition(), 'text/plain; version=0.0.4; charset=utf-8');
    default:
      return send(response, 404, 'not found');
  }
}

const report = (response: ServerResponse, problem: string | undefined): void =>
  problem === undefined ? send(response, 200, 'ok') : send(response, 500, problem);

function send(
  response: ServerResponse,
  code: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(code, { 'content-type': type, 'x-content-type-options': 'nosniff' }).end(text);
}
