import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { dataPolicy, type PageFile, pageFields, pagePolicy } from '@orch/console/files';
import type { Express } from 'express';
import type { PageAccess } from './access.ts';
import { answerForwards } from './answer-forwards.ts';
import { type Forwarding, forward } from './forward.ts';
import type { PodForwards } from './pod-forwards.ts';
import { acceptWebSockets, type WebSocketsOptions } from './web-sockets.ts';

/** What a page server serves, and to whom. */
export interface PageServerOptions extends Forwarding, WebSocketsOptions {
  readonly files: readonly PageFile[];
  /** Ports of pods on this machine; undefined where the page opens none. */
  readonly forwards: PodForwards | undefined;
  /** What the page may know of the connection. */
  readonly session: Readonly<Record<string, string | boolean>>;
}

/** The server of the page: its files, and the API for it. Nothing is served to others than the one who is signed in. */
export async function pageServer(options: PageServerOptions): Promise<Server> {
  // Loaded only when there is such a server.
  const { default: express } = await import('express');
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  addHandlers(app, options);
  const limits = { requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16 * 1024 };
  const server = createServer(limits, app);
  server.maxConnections = 128;
  acceptWebSockets(server, options);
  return server;
}

function addHandlers(app: Express, options: PageServerOptions): void {
  const { access, session, host, files } = options;
  const api = `${access.path}server/`;
  const ports = `${access.path}ports`;
  app.use((request, response, next) => {
    for (const [name, value] of Object.entries(pageFields)) response.setHeader(name, value);
    response.setHeader('content-security-policy', dataPolicy);
    const hasToken = tokenIn(request, access.path) !== undefined;
    const refusal = access.refusal(request, host(), hasToken);
    if (refusal !== undefined) return sendText(response, refusal.status, refusal.text);
    next();
  });
  app.use((request, response, next) => {
    const { url = '' } = request;
    const token = tokenIn(request, access.path);
    if (token !== undefined) return signIn(response, access, token);
    if (url === ports || url.startsWith(`${ports}/`))
      return answerForwards({ request, response, path: url.slice(ports.length) }, options.forwards);
    if (url.startsWith(api))
      return forward({ request, response, target: url.slice(api.length - 1) }, options);
    next();
  });
  app.get(`${access.path}session`, (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(session));
  });
  for (const file of files)
    app.get(access.path + (file.path === 'index.html' ? '' : file.path), (request, response) =>
      sendFile(request, response, file),
    );
  app.use((_request, response) => sendText(response, 404, 'There is no such page.'));
}

/** The token of a request that opens the first address. */
function tokenIn({ url = '', method }: IncomingMessage, path: string): string | undefined {
  const address = method === 'GET' ? URL.parse(url, 'http://localhost') : null;
  return address?.pathname === path ? (address.searchParams.get('token') ?? undefined) : undefined;
}

/**
 * The token leaves the address bar by a page that leads to the console: after a redirection, browsers would not send the cookie if
 * the address was opened from another site, such as a terminal in a browser.
 */
function signIn(response: ServerResponse, access: PageAccess, token: string): void {
  const cookie = access.signIn(token);
  if (cookie === undefined) {
    sendText(response, 401, 'This address was used already, or is wrong.');
    return;
  }
  response.setHeader('set-cookie', cookie);
  response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end('<!doctype html><title>Console</title><meta http-equiv="refresh" content="0; url=./">');
}

function sendFile({ headers }: IncomingMessage, response: ServerResponse, { type, gzip }: PageFile): void {
  const bytes = Buffer.from(gzip, 'base64');
  response.setHeader('content-type', type);
  response.setHeader('content-security-policy', pagePolicy);
  if (/\bgzip\b/.test(String(headers['accept-encoding']))) {
    response.setHeader('content-encoding', 'gzip');
    response.end(bytes);
  } else response.end(gunzipSync(bytes));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}
