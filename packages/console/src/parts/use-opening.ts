import { useState } from 'preact/hooks';

export interface Opening {
  /** The number of this opening, as the key of the dialog; 0 while the dialog is closed. */
  readonly number: number;
  readonly open: () => void;
  readonly close: () => void;
}

/**
 * Whether a dialog is open. A browser sends the event of a closed dialog after a key that was pressed meanwhile, which may have opened the
 * dialog again: the event closes only the opening that it belongs to.
 */
export function useOpening(): Opening {
  const [number, setNumber] = useState(0);
  return {
    number,
    open: () => setNumber((last) => last + 1),
    close: () => setNumber((last) => (last === number ? 0 : last)),
  };
}
