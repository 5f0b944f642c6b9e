/** Structured fields of a log line. Values must not be secrets. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The highest level of `debug` entries that are written; a change takes effect with the next entry. */
export interface LogVerbosity {
  level: number;
}

/** A leveled, structured logger. `enabled(n)` returns whether `debug` lines of level n are written (flag `--v`). */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  debug(level: number, message: string, fields?: LogFields): void;
  enabled(level: number): boolean;
  with(fields: LogFields): Logger;
}
