import { type ApiObject, checkFiniteOptions, type Env, type Names } from '@orch/machinery';
import type { Client } from './client.ts';
import { createDiscovery } from './discovery/discovery.ts';
import { lenientTextOf } from './rest/bytes.ts';
import { ExactNumbers } from './rest/exact-numbers.ts';
import { RestHistoryClient } from './rest/history-client.ts';
import { metadataOnly } from './rest/object-format.ts';
import { Requester } from './rest/requester.ts';
import { RestResourceClient } from './rest/resource-client.ts';
import { RestTableClient } from './rest/table-client.ts';
import type { Resource, TypedResource } from './rest/types.ts';
import { type ServerWarning, Warnings } from './rest/warnings.ts';
import { type Transport, TransportError } from './transport/transport.ts';

/** The server, the identity and the limits of a client. */
export interface ClientOptions {
  readonly transport: Transport;
  /** The naming of the server. */
  readonly names: Names;
  readonly env: Env;
  /** The user agent: `program/version (purpose)`. The first part is the default field manager. */
  readonly userAgent: string;
  /** Called once per text; warnings are logged when absent. */
  readonly onWarning?: (warning: ServerWarning) => void;
  /** Maximum time without data of a response, also within a list; 60 s. Watches have no limit. */
  readonly timeoutMs?: number;
  /** Maximum size of a response; 256 MiB. */
  readonly maxResponseBytes?: number;
  /**
   * The representation of numbers that a double cannot hold (integers beyond 2^53): `double`, the nearest double, which
   * keeps its digits when it is written back (`Int64`), by default; or `exact`, for programs that print objects: values
   * of `isExactNumber`.
   */
  readonly numbers?: 'double' | 'exact';
}

/** Creates the client of one identity for one server. The caller closes the transport. */
export function createClient(options: ClientOptions): Client {
  checkFiniteOptions(options, ['timeoutMs', 'maxResponseBytes'], { above: 0 });
  const { transport, names, env, userAgent } = options;
  const logWarning = ({ text, method, target }: ServerWarning): void =>
    env.log.warn('warning of the API server', { warning: text, method, target });
  const requester = new Requester({
    transport,
    env,
    userAgent,
    warnings: new Warnings(options.onWarning ?? logWarning),
    timeoutMs: options.timeoutMs ?? 60_000,
    maxResponseBytes: options.maxResponseBytes ?? 256 * 1024 * 1024,
    exactNumbers: options.numbers === 'exact' ? undefined : new ExactNumbers(),
  });
  const partial = metadataOnly(names);
  return {
    names,
    transport,
    discovery: createDiscovery(requester, names, env.clock),
    resource: <T extends ApiObject = ApiObject>(resource: TypedResource<T>, namespace?: string) =>
      new RestResourceClient<T>(requester, resource, namespace),
    metadata: (resource: Resource, namespace?: string) =>
      new RestResourceClient(requester, resource, namespace, partial),
    tables: (resource: Resource, namespace?: string) =>
      new RestTableClient(requester, names, [resource, namespace]),
    history: (resource: Resource, namespace?: string) =>
      new RestHistoryClient(requester, names, [resource, namespace]),
    rawBody: async (request, signal) => (await requester.response(request, signal)).body,
    rawStream: (request, signal) => requester.rawStream(request, signal),
    async raw(request, signal) {
      const { body } = await requester.response(request, signal);
      try {
        return requester.decode(body);
      } catch (error) {
        if (error instanceof TransportError) return lenientTextOf(body);
        throw error;
      }
    },
  };
}
