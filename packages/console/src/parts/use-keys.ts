import { useLayoutEffect, useRef } from 'preact/hooks';

export interface KeyActions {
  readonly onKeys: () => void;
  readonly onKinds: () => void;
  readonly onPalette: () => void;
  readonly onBack: () => void;
}

/** The keys of the whole page. Those that are typed into a field are text. */
export function useKeys(actions: KeyActions): void {
  // A browser may send a key after the page has changed and before effects have run: it belongs to what the page shows.
  const latest = useRef(actions);
  latest.current = actions;
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { onKeys, onKinds, onPalette, onBack } = latest.current;
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        onPalette();
        event.preventDefault();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyped(event.composedPath()[0])) return;
      if (event.key === '?') onKeys();
      else if (event.key === 'Escape') onBack();
      else if (event.key === '/') focusField('search');
      else if (event.key === 'g') {
        onKinds();
        // The next key belongs to the field. The menu of a narrow window has to be drawn first.
        if (!focusField('kind-search')) requestAnimationFrame(() => focusField('kind-search'));
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

/**
 * Whether a key belongs to a field or an open dialog. `target` is the innermost one: an editor is in a shadow root. A dialog that was just
 * closed keeps the focus until the browser draws the page again: the keys pressed meanwhile belong to the page.
 */
const isTyped = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  target.closest('dialog:not([open])') === null &&
  target.closest('input, textarea, select, [contenteditable=true], dialog') !== null;

/** Reports whether the field has the focus: one that is not shown does not get it. */
function focusField(id: string): boolean {
  const field = document.getElementById(id);
  if (!(field instanceof HTMLInputElement)) return false;
  field.focus();
  field.select();
  return document.activeElement === field;
}
