import { TransportError } from '../transport/transport.ts';

/** The chunks of the body of a response. Throws the reason of the signal, and a `TransportError` for an incomplete body. */
export async function* bodyOf(
  { body }: Response,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw new TransportError('unknown', 'the connection was lost within the response', { cause });
  } finally {
    // After the end there is nothing to cancel; after a failure the cancellation fails too.
    reader.cancel().catch(() => undefined);
  }
}
