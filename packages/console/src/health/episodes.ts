/** A time in which something needed attention. */
export interface Episode {
  readonly text: string;
  readonly fromMs: number;
  /** The last time at which it was seen. */
  readonly toMs: number;
  /** It holds at the latest reading. */
  readonly isPresent: boolean;
}

const HOUR_MS = 3_600_000;
/** The same finding after a shorter pause continues its episode: rates move around their limits. */
const PAUSE_MS = 60_000;
const MAX_EPISODES = 200;

/** The episodes of the last hour after another reading, the latest first. */
export function episodesAfter(
  earlier: readonly Episode[],
  findings: readonly string[],
  nowMs: number,
): readonly Episode[] {
  const continued = (text: string): Episode | undefined =>
    earlier.find((one) => one.text === text && nowMs - one.toMs <= PAUSE_MS);
  const present = findings.map(
    (text): Episode => ({ text, fromMs: continued(text)?.fromMs ?? nowMs, toMs: nowMs, isPresent: true }),
  );
  const replaced = new Set(findings.map(continued));
  const ended = earlier
    .filter((one) => !replaced.has(one) && nowMs - one.toMs < HOUR_MS)
    .map((one) => ({ ...one, isPresent: false }));
  return [...present, ...ended].sort((a, b) => b.fromMs - a.fromMs).slice(0, MAX_EPISODES);
}
