import { browserEnv } from '@orch/client/browser';
import { useEffect, useState } from 'preact/hooks';

/** Interval at which ages are updated. */
const TICK_MS = 10_000;

/** The present time in epoch milliseconds, which advances while the component is shown. */
export function useNow(): number {
  const [{ clock }] = useState(browserEnv);
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => clock.schedule(TICK_MS, () => setNow(clock.now())), [clock, now]);
  return now;
}
