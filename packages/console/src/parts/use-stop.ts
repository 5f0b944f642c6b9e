import { useEffect, useState } from 'preact/hooks';

/** Aborts when the component is left. */
export function useStop(): AbortSignal {
  const [left] = useState(() => new AbortController());
  useEffect(() => () => left.abort(new DOMException('the part was left', 'AbortError')), [left]);
  return left.signal;
}
