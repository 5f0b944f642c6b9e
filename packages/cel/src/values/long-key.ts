import type { WorkMeter } from './equality.ts';

/** The platform's hash of a longer string is its length: strings of the same length are compared one by one. */
const MAX_HASHED = 16_000;
const LONG_KEY_WORK = 40_000;

/** Counts the lookup of a key, where that may take long. */
export function countLookup(key: unknown, meter: WorkMeter | undefined): void {
  if (typeof key !== 'string' || key.length < 1000) return;
  meter?.work((key.length >> 4) + (key.length > MAX_HASHED ? LONG_KEY_WORK : 0));
}
