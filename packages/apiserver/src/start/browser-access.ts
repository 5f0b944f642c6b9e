import { whenFulfilled } from '@orch/machinery/concurrency';
import type { Answer, ApiRequest, HeaderList, Reply } from '@orch/request';
import { budgetOf, type Pattern } from '@orch/schema';
import type { ServingSettings } from '../settings/serving-settings.ts';

interface Answering {
  handle(request: ApiRequest): Answer;
}

/** Maximum length of an origin that is compared: a scheme, a host name and a port. */
const MAX_ORIGIN = 512;
/** Steps for all patterns and one origin. */
const STEPS = 50_000_000;

const allowedMethods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const allowedHeaders =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

/**
 * Adds the header fields for browsers that flags enable: the origins that may read responses, and the use of TLS only.
 * A preflight request from such an origin is answered without authentication, as it has no credentials.
 */
export function browserAccess<T extends Answering>(
  server: T,
  { origins, strictTransportSecurity }: Pick<ServingSettings, 'origins' | 'strictTransportSecurity'>,
): Answering {
  if (origins.length === 0 && strictTransportSecurity === undefined) return server;
  const always: HeaderList =
    strictTransportSecurity === undefined ? {} : { 'Strict-Transport-Security': strictTransportSecurity };
  return {
    handle(request) {
      const origin = allowedOrigin(request, origins);
      const headers = origin === undefined ? always : { ...always, ...sharedWith(origin) };
      if (origin !== undefined && request.method === 'OPTIONS')
        return { kind: 'bytes', status: 204, headers, body: Buffer.alloc(0) };
      return whenFulfilled(server.handle(request), (reply) =>
        withHeaders(reply, headers, origins.length > 0),
      );
    },
  };
}

function allowedOrigin({ headers: { origin } }: ApiRequest, origins: readonly Pattern[]): string | undefined {
  if (origin === undefined || origin.length > MAX_ORIGIN) return undefined;
  const budget = budgetOf(STEPS);
  return origins.some((pattern) => pattern.matches(origin, budget)) ? origin : undefined;
}

const sharedWith = (origin: string): HeaderList => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': allowedMethods,
  'Access-Control-Allow-Headers': allowedHeaders,
  'Access-Control-Expose-Headers': 'Date',
  'Access-Control-Allow-Credentials': 'true',
});

/** Responses to other origins differ, which caches must know. */
function withHeaders(reply: Reply, added: HeaderList, varies: boolean): Reply {
  const { Vary: vary } = reply.headers;
  const known = vary === undefined ? [] : typeof vary === 'string' ? [vary] : vary;
  const headers = { ...reply.headers, ...added, ...(varies ? { Vary: [...known, 'Origin'] } : {}) };
  return { ...reply, headers };
}
