import { TransportError } from '@orch/client';

/** The lines of a stream of UTF-8 text. Throws a `TransportError` for a line of more than `maxChars`. Leaving early cancels the stream. */
export async function* linesOf(
  stream: ReadableStream<Uint8Array>,
  maxChars: number,
): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      const [first = '', ...others] = text.split('\n');
      parts.push(first);
      size += first.length;
      if (size > maxChars) throw new TransportError('noEffect', 'the server sent a line that is too long');
      if (others.length > 0) {
        yield parts.join('');
        yield* others.slice(0, -1);
        const last = others.at(-1) ?? '';
        parts = [last];
        size = last.length;
      }
      if (!done) continue;
      if (size > 0) yield parts.join('');
      return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
