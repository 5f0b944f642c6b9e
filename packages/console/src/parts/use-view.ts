import { useCallback, useEffect, useState } from 'preact/hooks';
import { addressOf, type View, viewAt } from '../view/view.ts';

/** Changes parts of the view. A search that is being typed replaces the entry of the browser's history; a visit adds one. */
export type Go = (change: Partial<View>, how?: 'visit' | 'replace') => void;

/** The view of the address bar, which the back and forward buttons change as well. */
export function useView(): readonly [View, Go] {
  const [view, setView] = useState(() => viewAt(location.hash));
  useEffect(() => {
    const read = (): void => {
      const next = viewAt(location.hash);
      setView((shown) => (addressOf(shown) === addressOf(next) ? shown : next));
    };
    // The address may have changed since the first drawing.
    read();
    addEventListener('popstate', read);
    addEventListener('hashchange', read);
    return () => {
      removeEventListener('popstate', read);
      removeEventListener('hashchange', read);
    };
  }, []);
  const go = useCallback<Go>((change, how = 'visit') => {
    const next = { ...viewAt(location.hash), ...change };
    const address = addressOf(next);
    if (how === 'visit') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    // Without what has no meaning there, such as the open parts of an object that was left.
    setView(viewAt(address));
  }, []);
  return [view, go];
}
