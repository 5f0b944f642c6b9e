import { createLogger, systemClock } from '@orch/machinery/env';
import { type Comparison, cpuMicros, importMillis, library } from './measure.ts';

const fields = { requestId: 'b1946ac9-2492-4b2b-8f5b-8e1c4a1f4e0d', code: 200, durationMs: 1.25 };

/** One line of the log. */
export function logs(): readonly Comparison[] {
  const theirs = library('pino')({ base: null }, { write: () => undefined });
  const ours = createLogger({ clock: systemClock, write: () => undefined });
  return [
    {
      what: 'write a log line with three fields',
      ours: cpuMicros(() => ours.info('request', fields)),
      library: 'pino',
      theirs: cpuMicros(() => theirs.info(fields, 'request')),
      unit: 'µs',
    },
    { what: 'load the library', ours: 0, library: 'pino', theirs: importMillis('pino'), unit: 'ms' },
  ];
}
