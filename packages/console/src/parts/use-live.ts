import { useEffect, useMemo, useState } from 'preact/hooks';

/** Something that follows the server until a signal aborts, and tells of its changes. */
export interface Live {
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Something live, followed while the component is shown. It is drawn again at most once for each frame. `key` stands for what it
 * follows: another one is made when the key changes.
 */
export function useLive<T extends Live>(key: string, make: (onChange: () => void) => T): T {
  const [, setDrawn] = useState(0);
  const [live, frame] = useMemo(() => {
    const frame = { isRequested: false, draw: () => {} };
    const onChange = (): void => {
      if (frame.isRequested) return;
      frame.isRequested = true;
      requestAnimationFrame(() => {
        frame.isRequested = false;
        frame.draw();
      });
    };
    return [make(onChange), frame] as const;
  }, [key]);
  useEffect(() => {
    const left = new AbortController();
    frame.draw = () => setDrawn((count) => count + 1);
    void live.run(left.signal);
    return () => {
      frame.draw = () => {};
      left.abort(new DOMException('the view has changed', 'AbortError'));
    };
  }, [live, frame]);
  return live;
}
