import type { Source } from '@orch/client';
import type { Clock, Logger } from '@orch/machinery';
import { abortable, deferred, sleep } from '@orch/machinery/concurrency';
import type { Content } from '../options.ts';

/** Interval between reads of a string outside of the process. */
const INTERVAL_MS = 10_000;

export interface ContentSourceOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** The keys to add when the text has changed. */
  readonly keys: () => Iterable<string>;
}

/** Adds keys when a string has changed. */
export function contentSource(content: Content, { clock, log, keys }: ContentSourceOptions): Source<string> {
  const first = deferred();
  const read = async (): Promise<string | undefined> => {
    try {
      return await content.read();
    } catch (error) {
      log.warn('cannot read the content, keeping the previous one', { origin: content.origin, error });
      return undefined;
    }
  };
  return {
    async run(add, signal) {
      let previous = await read();
      first.resolve();
      while (!signal.aborted) {
        await sleep(clock, INTERVAL_MS, signal).catch(() => undefined);
        if (signal.aborted) return;
        const text = await read();
        if (text === undefined || text === previous) continue;
        previous = text;
        for (const key of keys()) add(key);
      }
    },
    synced: (signal) => abortable(first.promise, signal),
  };
}
