import type { Source } from '@orch/client';
import { abortable, type Clock, deferred, type Logger, sleep } from '@orch/machinery';
import type { Content } from '../options.ts';

/** How often a text outside of the process is looked at. */
const INTERVAL_MS = 10_000;

export interface ContentSourceOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** What has to be looked at when the text is another. */
  readonly keys: () => Iterable<string>;
}

/** Adds keys when a text has changed. */
export function contentSource(content: Content, { clock, log, keys }: ContentSourceOptions): Source<string> {
  const first = deferred();
  const read = async (): Promise<string | undefined> => {
    try {
      return await content.read();
    } catch (error) {
      log.warn('cannot be read: what was read before stays', { origin: content.origin, error });
      return undefined;
    }
  };
  return {
    async run(add, signal) {
      let known = await read();
      first.resolve();
      while (!signal.aborted) {
        await sleep(clock, INTERVAL_MS, signal).catch(() => undefined);
        if (signal.aborted) return;
        const text = await read();
        if (text === undefined || text === known) continue;
        known = text;
        for (const key of keys()) add(key);
      }
    },
    synced: (signal) => abortable(first.promise, signal),
  };
}
