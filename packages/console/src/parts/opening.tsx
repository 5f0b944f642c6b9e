import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export interface OpeningProps {
  readonly title: string;
  /** At first; closed when absent. */
  readonly isOpen?: boolean;
  readonly children: () => ComponentChildren;
}

/** A part of a tree, drawn when it is opened. */
export function Opening({ title, isOpen: isOpenAtFirst = false, children }: OpeningProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details
      class="schema"
      open={isOpen}
      onToggle={(event) => {
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      {isOpen ? children() : null}
    </details>
  );
}
