import { messageOf } from '@orch/machinery';
import type { ComponentChildren } from 'preact';
import type { Freshness } from '../rows/live-rows.ts';
import { durationText } from '../view/durations.ts';

export interface FreshnessLineProps {
  readonly freshness: Freshness;
  readonly nowMs: number;
  /** What is shown, such as the number of objects. */
  readonly children?: ComponentChildren;
}

/** Whether the page shows the present state of the server. */
export const FreshnessLine = ({ freshness, nowMs, children }: FreshnessLineProps) => (
  <p class={`freshness ${freshness.phase}`} role="status">
    {children} <strong>{stateText(freshness, nowMs)}</strong>
  </p>
);

function stateText(freshness: Freshness, nowMs: number): string {
  switch (freshness.phase) {
    case 'loading':
      return 'Loading';
    case 'live':
      return 'Live';
    case 'failed':
      return 'Not updated';
    case 'stale':
      return `Stale for ${durationText(nowMs - freshness.sinceMs)}: ${messageOf(freshness.problem)}. Trying again.`;
  }
}
