import type { Transport, TransportRequest, TransportResponse } from '@orch/client';
import type { Io } from '../io.ts';

/** Verbosity from which requests are logged, and from which headers and bodies are. */
const REQUESTS = 6;
const BODIES = 8;

/** Maximum logged length of a body. */
const MAX_BODY = 4096;

/** Values of these header fields are credentials. The identity of the user is added below, and never logged. */
const secretHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * Logs requests on standard error: method, target, status and duration from verbosity 6 on, headers and bodies of requests from
 * 8 on. Credentials are not logged, nor are bodies of secrets and tokens.
 */
export function loggedTransport(inner: Transport, io: Io, verbosity: number): Transport {
  if (verbosity < REQUESTS) return inner;
  return {
    async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
      const start = io.env.clock.monotonic();
      if (verbosity >= BODIES) io.err.write(requestText(request));
      const log = (result: string): void => {
        const ms = Math.round(io.env.clock.monotonic() - start);
        io.err.write(`${request.method} ${request.target} ${result} in ${ms} ms\n`);
      };
      try {
        const response = await inner.send(request, signal);
        log(String(response.status));
        return response;
      } catch (error) {
        log('failed');
        throw error;
      }
    },
    reset: (reason) => inner.reset(reason),
    close: () => inner.close(),
  };
}

function requestText({ headers, body, target }: TransportRequest): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `  ${name}: ${secretHeaders.has(name) ? '<withheld>' : String(value)}\n`,
  );
  if (body === undefined) return lines.join('');
  const text = isSecret(target) ? '<withheld>' : Buffer.from(body).toString('utf8').slice(0, MAX_BODY);
  return `${lines.join('')}  ${text}\n`;
}

/** Reports whether bodies of a path hold secrets or tokens. */
const isSecret = (target: string): boolean => /\/(?:secrets|tokenreviews|token)(?:[/?]|$)/.test(target);
