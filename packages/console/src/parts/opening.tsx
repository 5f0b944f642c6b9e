import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface OpeningProps {
  readonly title: string;
  /** Opens the part: at first, and whenever it becomes true. Closed at first when absent. */
  readonly isOpen?: boolean;
  readonly children: () => ComponentChildren;
}

/** A part of a tree, drawn when it is opened. */
export function Opening({ title, isOpen: isAskedFor = false, children }: OpeningProps) {
  const [isOpen, setOpen] = useState(isAskedFor);
  useLayoutEffect(() => {
    if (isAskedFor) setOpen(true);
  }, [isAskedFor]);
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
