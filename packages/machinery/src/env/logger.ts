import type { Clock } from '../env.ts';
import type { LogFields, Logger, LogVerbosity } from '../log.ts';
import { logJson } from './log-json.ts';

type Level = 'info' | 'warn' | 'error' | 'debug';

export interface LoggerOptions {
  /** Takes one line with its newline. Must not block and must not throw (see `lineWriter`). */
  readonly write: (line: string) => void;
  readonly clock: Pick<Clock, 'now'>;
  /** Highest level of `debug` entries that are written; 0 writes none above level 0. An object may be changed later. */
  readonly verbosity?: number | LogVerbosity;
}

/** Fields of every line; other fields with these names are written with a trailing `_`. */
const reserved = new Set(['ts', 'level', 'msg']);

function fieldsText(fields: LogFields): string {
  let out = '';
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === undefined) continue;
    out += `,${JSON.stringify(reserved.has(name) ? `${name}_` : name)}:${logJson(value)}`;
  }
  return out;
}

/**
 * A logger of JSON lines: `{"ts":"2020-01-02T03:04:05.678Z","level":"info","msg":"…", …fields}`, one line per entry.
 * Errors are written with name, message, code, stack and cause; cycles and values that have no JSON form are written
 * as text. Entries below the verbosity cost one comparison.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { write, clock, verbosity: given = 0 } = options;
  const verbosity: Readonly<LogVerbosity> = typeof given === 'number' ? { level: given } : given;
  // Entries come in bursts: the text of one millisecond is formatted once.
  let stamp = { ms: Number.NaN, text: '' };
  const timestamp = (): string => {
    const ms = clock.now();
    if (ms !== stamp.ms) stamp = { ms, text: new Date(ms).toISOString() };
    return stamp.text;
  };
  const make = (bound: string): Logger => {
    const entry = (level: Level, message: string, fields: LogFields | undefined, extra = ''): void => {
      const rest = fields === undefined ? '' : fieldsText(fields);
      write(
        `{"ts":"${timestamp()}","level":"${level}"${extra},"msg":${JSON.stringify(message)}${bound}${rest}}\n`,
      );
    };
    return {
      info: (message, fields) => entry('info', message, fields),
      warn: (message, fields) => entry('warn', message, fields),
      error: (message, fields) => entry('error', message, fields),
      debug(level, message, fields) {
        if (level <= verbosity.level) entry('debug', message, fields, `,"v":${level}`);
      },
      enabled: (level) => level <= verbosity.level,
      with: (fields) => make(bound + fieldsText(fields)),
    };
  };
  return make('');
}

/** Writes nothing. */
export const silentLogger: Logger = Object.freeze({
  info: () => {},
  warn: () => {},
  error: () => {},
  debug: () => {},
  enabled: () => false,
  with: (): Logger => silentLogger,
});
