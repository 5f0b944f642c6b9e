import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RedirectResult } from '@orch/client/login';
import { messageOf } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import { CommandError } from '../../command-error.ts';

const ADDRESS = '127.0.0.1';
const PATH = '/callback';

/** The local server that the provider redirects the browser to (RFC 8252, 7.3). */
export interface RedirectListener extends AsyncDisposable {
  readonly url: string;
  /** Resolves with the code of the first redirection that `read` recognizes; others are refused and change nothing. */
  wait(read: (query: URLSearchParams) => RedirectResult, signal: AbortSignal): Promise<string>;
}

/** Listens on loopback only. Port 0 is any free one. */
export async function listenForRedirect(port: number): Promise<RedirectListener> {
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 16 * 1024 });
  server.maxConnections = 16;
  await listening(server, port);
  const host = `${ADDRESS}:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}${PATH}`,
    wait: (read, signal) => abortable(redirection(server, host, read), signal),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeIdleConnections();
      // The page of the last response may still be on its way.
      server.unref();
    },
  };
}

async function listening(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, ADDRESS);
    await once(server, 'listening');
  } catch (cause) {
    throw new CommandError(`cannot listen for the redirection of the browser: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function redirection(
  server: Server,
  host: string,
  read: (query: URLSearchParams) => RedirectResult,
): Promise<string> {
  return new Promise((resolve, reject) => {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const url = URL.parse(request.url ?? '', `http://${host}`);
      if (url?.pathname !== PATH || !isNavigation(request, host)) return answer(response, 404, 'Not found.');
      const result = read(url.searchParams);
      if (result.kind === 'foreign') return answer(response, 400, 'This is not the login that was started.');
      if (result.kind === 'failed') {
        answer(response, 200, 'The login failed. The terminal shows the reason.');
        return reject(result.error);
      }
      answer(response, 200, 'You are logged in. You can close this window.');
      resolve(result.code);
    });
  });
}

/** Reports whether a browser navigates here: scripts of other pages and names of other hosts that lead here are refused. */
function isNavigation({ method, headers }: IncomingMessage, host: string): boolean {
  const mode = headers['sec-fetch-mode'];
  return (
    method === 'GET' &&
    headers.host === host &&
    headers.origin === undefined &&
    (mode === undefined || mode === 'navigate')
  );
}

/** Fixed pages: they contain nothing from the request, and the address with the code is not passed on. */
function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(`${text}\n`);
}
