import type { ApiObject } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { TransportError } from '../transport/transport.ts';

/** Checks that a value is an object of the API. Throws a `TransportError` otherwise. */
export function objectIn<T extends ApiObject>(body: unknown): T {
  if (isJsonObject(body) && isJsonObject(body['metadata'])) return body as T;
  throw new TransportError('unknown', 'the response is not an object of the API');
}
