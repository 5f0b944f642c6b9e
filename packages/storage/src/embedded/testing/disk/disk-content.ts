export const DISK_PREFIX = '/disk/';

/** Small limits, so that a short run copies its log back several times. */
export const DISK_LIMITS = { checkpointBytes: 96 * 1024, reserveBytes: 128 * 1024 } as const;

/** A value of up to two pages that contains its key and a number. */
export function diskValue(key: string, number: number): Buffer {
  const size = 40 + ((number * 2_654_435_761) % 7000);
  return Buffer.from(`${key} ${number} `.padEnd(size, '.'), 'latin1');
}

/** An outcome that the recorded process has reported. */
export interface Reported {
  /**
   * `stored`, a code of `StoreError`, `changed` for a key that differs after such a code, `unopened` for a store that could not be
   * opened, or `closed`.
   */
  readonly outcome: string;
  readonly rev: number;
  readonly key: string;
  /** The number in the value; undefined for a deletion. */
  readonly number: number | undefined;
}

export function reportedIn(line: string): Reported {
  const [outcome = '', rev, key = '', number] = line.split(' ');
  return { outcome, rev: Number(rev), key, number: number === 'deleted' ? undefined : Number(number) };
}

/** The keys and values at a revision, according to the reports. */
export function contentAt(reports: readonly Reported[], rev: number): ReadonlyMap<string, string> {
  const content = new Map<string, string>();
  const stored = reports.filter((one) => one.outcome === 'stored' && one.rev <= rev);
  for (const { key, number, rev: at } of stored.toSorted((a, b) => a.rev - b.rev)) {
    if (number === undefined) content.delete(key);
    else content.set(key, `${at} ${diskValue(key, number).toString('latin1')}`);
  }
  return content;
}
