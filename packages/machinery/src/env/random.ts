import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Random } from '../env.ts';

/** Random numbers from the operating system, which are secure enough for secrets. */
export const systemRandom: Random = Object.freeze({
  bytes: (count: number) => randomBytes(count),
  uuid: () => randomUUID(),
  int: (below: number) => randomInt(below),
});
