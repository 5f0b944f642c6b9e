import { isatty } from 'node:tty';
import { choiceFlag } from './flags/index.ts';

export type LogFormat = 'auto' | 'text' | 'json';

/** The flag `--log-format` of every program that writes a log. */
export const logFormatFlag = choiceFlag(
  {
    name: 'log-format',
    alias: 'logging-format',
    section: 'General',
    help: 'Format of the log on standard error: lines for people (text) or JSON objects. With auto it is JSON, except on a terminal: there it is text, with warnings and errors only; --v=1 adds the rest.',
  },
  ['auto', 'text', 'json'],
  'auto',
);

/** Reports whether a file descriptor is a terminal: 1 is standard output, 2 is standard error. */
export const isTerminal = (descriptor: 1 | 2): boolean => isatty(descriptor);
