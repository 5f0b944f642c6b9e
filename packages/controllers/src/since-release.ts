import type { ControllerOptions } from './options.ts';

/** Reports whether a server has at least this minor release of 1. */
export const isSince = ({ major, minor }: ControllerOptions['release'], sinceMinor: number): boolean =>
  major > 1 || minor >= sinceMinor;
