import { type ApiObject, isJsonObject } from '@orch/machinery';
import { TransportError } from '../transport/transport.ts';

/** An object of the API; anything else is not what was asked for. */
export function objectIn<T extends ApiObject>(answer: unknown): T {
  if (isJsonObject(answer) && isJsonObject(answer['metadata'])) return answer as T;
  throw new TransportError('unknown', 'the answer is not an object of the API');
}
