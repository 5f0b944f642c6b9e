import {
  basicCredentials,
  networkTransport,
  noCredentials,
  type TransportResponse,
  withEnvironmentProxy,
} from '@orch/client';
import { messageOf } from '@orch/machinery';
import { CommandError } from '../command-error.ts';
import type { Io } from '../io.ts';
import { useLeanAuthorities } from '../lean-authorities.ts';

/** The time for a whole response, with its redirects. */
const READ_MS = 60_000;
const MAX_REDIRECTS = 10;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The text of an `http` or `https` URL, up to a maximum size, through the proxies of the environment. Redirects are
 * followed, though not from `https` to `http`. Rejects with a CommandError.
 */
export async function readUrl(
  url: string,
  { environment, env }: Pick<Io, 'environment' | 'env'>,
  maxBytes: number,
): Promise<string> {
  useLeanAuthorities();
  const signal = AbortSignal.timeout(READ_MS);
  try {
    let next = new URL(url);
    for (let count = 0; count <= MAX_REDIRECTS; count++) {
      const transport = networkTransport(withEnvironmentProxy(settingsOf(next), environment), env);
      try {
        const request = {
          method: 'GET',
          target: `${next.pathname}${next.search}`,
          headers: { accept: '*/*' },
        };
        const response = await transport.send(request, signal);
        if (!redirects.has(response.status)) return await textOf(response, maxBytes);
        next = redirected(next, response.headers['location']);
      } finally {
        await transport.close();
      }
    }
    throw new Error(`the server responded with more than ${MAX_REDIRECTS} redirects`);
  } catch (error) {
    throw new CommandError(`${withoutPassword(url)} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** The authorities of the system, and the credentials of the URL. */
const settingsOf = ({ origin, username, password }: URL) => ({
  server: origin,
  insecureSkipTlsVerify: false,
  disableCompression: true,
  credentials:
    username === ''
      ? noCredentials()
      : basicCredentials(decodeURIComponent(username), decodeURIComponent(password)),
});

function redirected(from: URL, location: string | undefined): URL {
  if (location === undefined) throw new Error('the server responded with a redirect without a location');
  const to = new URL(location, from);
  if (to.protocol !== 'https:' && to.protocol !== from.protocol)
    throw new Error(`the server redirects to ${to.origin}, which is not encrypted`);
  return to;
}

async function textOf({ status, body }: TransportResponse, maxBytes: number): Promise<string> {
  if (status !== 200) throw new Error(`the server responded with status ${status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`the response has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Without the credentials of the URL. */
const withoutPassword = (url: string): string => url.replace(/^(https?:\/\/)[^/?#]*@/, '$1');
