import { MAX_GUARDS, type Write } from './store.ts';

/** Throws a RangeError for a write with too many guards. */
export function checkGuards({ guards }: Write): void {
  if (guards !== undefined && guards.length > MAX_GUARDS)
    throw new RangeError(`a write has at most ${MAX_GUARDS} guards`);
}
