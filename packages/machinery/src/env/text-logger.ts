import { messageOf } from '../error-message.ts';
import { visibleText } from '../formats/index.ts';
import type { LogFields, Logger, LogVerbosity } from '../log.ts';
import { logJson } from './log-json.ts';
import type { LoggerOptions } from './logger.ts';

type Level = 'info' | 'warning' | 'error' | 'debug';

export interface TextLoggerOptions extends LoggerOptions {
  /** The verbosity from which on `info` entries are written; 0, with which they always are, when absent. */
  readonly infoFrom?: number;
}

const MAX_CAUSES = 5;
/** Values that are written without quotes. */
const plainValue = /^[\w./:@%+-]{1,256}$/;

/** Messages of an error and of its causes, without stacks. */
function errorText(error: Error): string {
  const messages: string[] = [];
  let at: unknown = error;
  for (let depth = 0; at !== undefined && depth < MAX_CAUSES; depth++) {
    const message = messageOf(at);
    // An error often repeats the message of its cause.
    if (!messages.some((one) => one.includes(message))) messages.push(message);
    at = at instanceof Error ? at.cause : undefined;
  }
  return messages.join(': ');
}

function valueText(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(errorText(value));
  const json = logJson(value);
  const isPlain = typeof value === 'string' && plainValue.test(value);
  return isPlain ? value : json;
}

const fieldTexts = (fields: LogFields): readonly string[] =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${valueText(value)}`);

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, '; ');

/**
 * A logger for people at a terminal: `03:04:05 warning: message (field=value, …)`, one line per entry, in UTC. Errors are
 * written with their messages, without stacks; control characters are made visible.
 */
export function createTextLogger(options: TextLoggerOptions): Logger {
  const { write, clock, verbosity: given = 0, infoFrom = 0 } = options;
  const verbosity: Readonly<LogVerbosity> = typeof given === 'number' ? { level: given } : given;
  const make = (bound: readonly string[]): Logger => {
    const entry = (level: Level, message: string, fields: LogFields | undefined): void => {
      const all = fields === undefined ? bound : [...bound, ...fieldTexts(fields)];
      const rest = all.length === 0 ? '' : ` (${all.join(', ')})`;
      const time = new Date(clock.now()).toISOString().slice(11, 19);
      write(`${visibleText(oneLine(`${time} ${level}: ${message}${rest}`))}\n`);
    };
    return {
      info(message, fields) {
        if (verbosity.level >= infoFrom) entry('info', message, fields);
      },
      warn: (message, fields) => entry('warning', message, fields),
      error: (message, fields) => entry('error', message, fields),
      debug(level, message, fields) {
        if (level <= verbosity.level) entry('debug', message, fields);
      },
      enabled: (level) => level <= verbosity.level,
      with: (fields) => make([...bound, ...fieldTexts(fields)]),
    };
  };
  return make([]);
}
