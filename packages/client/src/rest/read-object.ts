import { type ApiObject, isJsonObject } from '@orch/machinery';
import { TransportError } from '../transport/transport.ts';

/** Checks that a value is an object of the API. Throws a `TransportError` otherwise. */
export function objectIn<T extends ApiObject>(answer: unknown): T {
  if (isJsonObject(answer) && isJsonObject(answer['metadata'])) return answer as T;
  throw new TransportError('unknown', 'the response is not an object of the API');
}
