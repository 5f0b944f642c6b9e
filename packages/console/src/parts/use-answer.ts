import { useEffect, useState } from 'preact/hooks';

/** The state of one request: nothing yet, what it has returned, or why it failed. */
export type Answer<T> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'failed'; readonly problem: unknown };

/** What a request returns; sent again when the key changes. The earlier answer stays until there is another one. */
export function useAnswer<T>(key: string, read: (signal: AbortSignal) => Promise<T>): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ kind: 'waiting' });
  useEffect(() => {
    const left = new AbortController();
    read(left.signal).then(
      (value) => left.signal.aborted || setAnswer({ kind: 'found', value }),
      (problem) => left.signal.aborted || setAnswer({ kind: 'failed', problem }),
    );
    return () => left.abort(new DOMException('the view has changed', 'AbortError'));
  }, [key]);
  return answer;
}
