import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { serving } from '../../../transport/testing/certificates.ts';

export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An unsigned id token. */
export const idToken = (expiresAtMs: number, subject = 'u1'): string =>
  `${encode({ alg: 'RS256' })}.${encode({ sub: subject, exp: expiresAtMs / 1000 })}.c2ln`;

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, `hang` never ends, other values are sent as JSON. */
  readonly body?: unknown;
}

export interface TokenRequest {
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
}

export interface TokenServer extends AsyncDisposable {
  readonly issuer: string;
  readonly ca: string;
  readonly requests: readonly TokenRequest[];
  /** All requests. */
  readonly paths: readonly string[];
}

export interface Script {
  /** Changes of the discovery document, or a response that replaces it. */
  readonly discovery?: object | ((issuer: string) => Reply);
  readonly token?: (request: TokenRequest, run: number) => Reply;
}

/** An OpenID provider over TLS with responses that a test defines. */
export async function tokenServer({
  discovery = {},
  token = () => ({ status: 500 }),
}: Script): Promise<TokenServer> {
  const requests: TokenRequest[] = [];
  const paths: string[] = [];
  const server = createServer({ ...serving }, async (incoming, outgoing) => {
    paths.push(incoming.url ?? '');
    if (incoming.url === '/realm/token') {
      const request = await read(incoming);
      requests.push(request);
      return reply(outgoing, token(request, requests.length));
    }
    if (typeof discovery === 'function') return reply(outgoing, discovery(issuer));
    reply(outgoing, { body: { issuer, token_endpoint: `${issuer}/token`, ...discovery } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}/realm`;
  return {
    issuer,
    ca: serving.cert,
    requests,
    paths,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(incoming: IncomingMessage): Promise<TokenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
  return { form, authorization: incoming.headers.authorization };
}

function reply(outgoing: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
  if (body === 'hang') outgoing.write('{');
  else outgoing.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
}
