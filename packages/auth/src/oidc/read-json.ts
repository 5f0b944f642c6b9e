import type { Clock } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { AnswerTooLarge, Connections, defaultConnectionLimits, noBody } from '@orch/outbound';
import { dialService } from '../webhook/dial-service.ts';

/** The provider is unreachable, or its answer is unusable. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
}

const MAX_BYTES = 1024 * 1024;

/** Reads JSON over TLS. Redirects are not followed: the provider must be the one of the flag. */
export type ReadJson = (url: URL, signal: AbortSignal) => Promise<unknown>;

/** Over a connection for each document, since they are read rarely. `ca` is PEM; the authorities of the machine without it. */
export const readJsonOverTls =
  (ca: string | undefined, clock: Clock): ReadJson =>
  async (url, signal) => {
    const unproven = {
      serverName: undefined,
      isUnverified: false,
      identity: undefined,
      authorization: undefined,
    };
    const dial = dialService({ url, ca, ...unproven }, { clock });
    const connections = new Connections({ clock, limits: defaultConnectionLimits, dial });
    try {
      return parseJson(await bodyOf(connections, url, signal));
    } finally {
      connections.destroy();
    }
  };

async function bodyOf(connections: Connections, url: URL, signal: AbortSignal): Promise<Buffer> {
  const request = {
    method: 'GET',
    target: `${url.pathname}${url.search}`,
    headers: { host: url.host, accept: 'application/json', connection: 'close' },
    bodyLength: 0,
    body: noBody,
    upgrade: undefined,
    maxAnswerBytes: MAX_BYTES,
  };
  try {
    const answer = await connections.request(request, signal);
    if (answer.kind === 'whole' && answer.status === 200) return answer.body;
    throw new ProviderError(`${url.href} answers ${answer.kind === 'upgraded' ? 101 : answer.status}`);
  } catch (error) {
    throw error instanceof AnswerTooLarge
      ? new ProviderError(`the response of ${url.href} is too large`)
      : error;
  }
}
