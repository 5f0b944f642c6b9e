import { useEffect, useState } from 'preact/hooks';

/** The state of one request: pending, its result, or its failure. */
export type Answer<T> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'failed'; readonly problem: unknown };

export interface AnswerOptions {
  /** Shows the previous answer to the same question until the next one arrives. */
  readonly keepsEarlier?: boolean;
}

/** The answer to a request, which is sent again when the key changes. */
export function useAnswer<T>(
  key: string,
  read: (signal: AbortSignal) => Promise<T>,
  { keepsEarlier = false }: AnswerOptions = {},
): Answer<T> {
  const [state, setState] = useState<{ readonly key: string; readonly answer: Answer<T> }>();
  useEffect(() => {
    const left = new AbortController();
    read(left.signal).then(
      (value) => left.signal.aborted || setState({ key, answer: { kind: 'found', value } }),
      (problem) => left.signal.aborted || setState({ key, answer: { kind: 'failed', problem } }),
    );
    return () => left.abort(new DOMException('the view has changed', 'AbortError'));
  }, [key]);
  return state !== undefined && (keepsEarlier || state.key === key) ? state.answer : { kind: 'waiting' };
}
