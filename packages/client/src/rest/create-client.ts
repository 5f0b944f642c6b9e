import { type ApiObject, type Env, JsonSyntaxError, type Names, parseJson } from '@orch/machinery';
import { createDiscovery } from '../discovery/discovery.ts';
import type { Transport } from '../transport/transport.ts';
import type { Client } from './client.ts';
import { metadataOnly } from './forms.ts';
import { Requester } from './requester.ts';
import { RestResourceClient } from './resource-client.ts';
import type { Resource, TypedResource } from './types.ts';
import { type ServerWarning, Warnings } from './warnings.ts';

export interface ClientOptions {
  readonly transport: Transport;
  /** The naming of the server. */
  readonly names: Names;
  readonly env: Env;
  /** What the server is told of the program: `program/version (purpose)`. Owners of fields are named after its beginning. */
  readonly userAgent: string;
  /** Told each text once; they are logged when absent. */
  readonly onWarning?: (warning: ServerWarning) => void;
  /** Longest wait for an answer, and longest silence within a list; 60 s. Watches have no end but the server's. */
  readonly timeoutMs?: number;
  /** Longest answer that is read as a whole; 256 MiB. */
  readonly maxAnswerBytes?: number;
}

/** Everything that one identity does with one server, over a transport that stays the caller's to close. */
export function createClient(options: ClientOptions): Client {
  const { transport, names, env, userAgent } = options;
  const logWarning = ({ text, method, target }: ServerWarning): void =>
    env.log.warn('the server warns', { warning: text, method, target });
  const requester = new Requester({
    transport,
    env,
    userAgent,
    warnings: new Warnings(options.onWarning ?? logWarning),
    timeoutMs: options.timeoutMs ?? 60_000,
    maxAnswerBytes: options.maxAnswerBytes ?? 256 * 1024 * 1024,
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
    async raw(request, signal) {
      const { body } = await requester.answer(request, signal);
      try {
        return parseJson(body);
      } catch (error) {
        if (error instanceof JsonSyntaxError) return body.toString('utf8');
        throw error;
      }
    },
  };
}
