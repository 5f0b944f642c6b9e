import { useLayoutEffect, useRef } from 'preact/hooks';

/** The keys of the page. */
export const keys = [
  ['/', 'Search the list'],
  ['g', 'Choose a kind'],
  ['Ctrl K', 'Go to a kind or page by its name'],
  ['↑ ↓, j k, Page Up, Page Down, Home, End', 'Choose a row'],
  ['Enter', 'Open the chosen row'],
  ['Esc', 'Close, or go back to the list'],
  ['?', 'Show the keys'],
] as const;

/** Explains the keys, until it is closed. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">Keys</h2>
      <dl>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
