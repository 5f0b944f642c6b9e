import type { JSX } from 'preact';
import type { Kinds } from '../api/discovery.ts';
import type { PageSession } from '../api/session.ts';
import type { Go } from '../parts/use-view.ts';
import type { View } from '../view/view.ts';

export interface ToolProps {
  readonly session: PageSession;
  readonly kinds: Kinds;
  readonly view: View;
  readonly go: Go;
}

/** A page that shows no kind. */
export interface Tool {
  /** The word that stands in the address in the place of a kind. */
  readonly word: string;
  readonly title: string;
  readonly Page: (props: ToolProps) => JSX.Element;
}
