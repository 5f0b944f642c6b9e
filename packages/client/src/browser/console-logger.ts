import type { LogFields, Logger } from '@orch/machinery';

const withFields = (bound: LogFields): Logger => {
  const entry =
    (level: 'info' | 'warn' | 'error') =>
    (message: string, fields?: LogFields): void =>
      console[level](message, { ...bound, ...fields });
  return {
    info: entry('info'),
    warn: entry('warn'),
    error: entry('error'),
    debug: () => undefined,
    enabled: () => false,
    with: (fields) => withFields({ ...bound, ...fields }),
  };
};

/** A logger that writes to the console of the browser, with the fields as an object. */
export const consoleLogger: Logger = withFields({});
