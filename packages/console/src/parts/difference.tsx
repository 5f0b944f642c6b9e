import { useEffect, useRef } from 'preact/hooks';

/** What differs between two texts, loaded when it is needed first. */
export function Difference({ original, changed }: { readonly original: string; readonly changed: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let shown: Disposable | undefined;
    let isLeft = false;
    void import('../edit/yaml-editor.ts').then(({ openDifference }) => {
      if (!isLeft && host.current !== null) shown = openDifference(host.current, original, changed);
    });
    return () => {
      isLeft = true;
      shown?.[Symbol.dispose]();
    };
  }, [original, changed]);
  return <div ref={host} class="difference" />;
}
