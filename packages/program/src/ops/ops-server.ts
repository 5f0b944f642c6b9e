import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Env } from '@orch/machinery';
import type { Express } from 'express';
import { isLoopback } from '../debug/local-request.ts';
import type { Health } from '../health/health.ts';
import { debugHandler, type OpsDebug } from './debug-handler.ts';
import { exposition } from './exposition.ts';

export interface OpsOptions {
  readonly env: Env;
  readonly health: Health;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Endpoints below `/debug`; none when absent. */
  readonly debug?: OpsDebug;
}

export interface OpsServer {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Opens the port for operators: health and metrics over plain HTTP without credentials, meant for a private network or
 * the loopback interface, and endpoints below `/debug` for this machine. Express is loaded only when there is such a port.
 */
export async function serveOps(options: OpsOptions): Promise<OpsServer> {
  const { default: express } = await import('express');
  const app = express();
  const server = createServer(app);
  addHandlers(app, options, () => isLoopback((server.address() as AddressInfo).address));
  server.requestTimeout = 30_000;
  server.headersTimeout = 10_000;
  server.maxConnections = 256;
  await opened(server, options.host, options.port);
  server.on('error', (error) => options.env.log.error('the ops port failed', { error: error.message }));
  const { port } = server.address() as AddressInfo;
  return {
    host: options.host,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function addHandlers(app: Express, { env, health, debug }: OpsOptions, isLocal: () => boolean): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/metrics', async (request, response) => {
    const { headers, body } = await exposition(env.metrics, request.headers);
    for (const [name, value] of Object.entries(headers)) response.set(name, value);
    response.send(body);
  });
  app.get(/^\/(?:livez|readyz|healthz)(?:\/.*)?$/, async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const mark = request.url.indexOf('?');
    const { status, text } = await health.answer(
      request.path,
      mark < 0 ? '' : request.url.slice(mark + 1),
      gone.signal,
    );
    response.status(status).type('text/plain').send(text);
  });
  if (debug !== undefined) app.use(debugHandler({ ...debug, log: env.log, isLocal }));
  app.use((_request, response) => {
    response.status(404).type('text/plain').send('404 page not found\n');
  });
}

function opened(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
