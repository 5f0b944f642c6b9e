import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Random } from '../env.ts';

/** Chance from the operating system, good enough for secrets. */
export const systemRandom: Random = Object.freeze({
  bytes: (count: number) => randomBytes(count),
  uuid: () => randomUUID(),
  int: (below: number) => randomInt(below),
});
