import { availableParallelism } from 'node:os';

/** Memory below the limit of the process for each thread: its code, its heap and its index of the objects. */
const BYTES_PER_THREAD = 256 * 2 ** 20;

/** The part of a machine that a process may use. */
export interface UsableMachine {
  /** The process may be bound to some cores, or limited to their time by its control group. */
  readonly cores: number;
  /** Limit of the memory of the control group; 0 without one. */
  readonly memoryBytes: number;
  readonly platform: NodeJS.Platform;
}

const usableMachine = (): UsableMachine => ({
  cores: availableParallelism(),
  memoryBytes: process.constrainedMemory(),
  platform: process.platform,
});

/**
 * Returns the number of serving threads of a process without `--threads`: one for each core, at most `most`, and at most as many as
 * its memory permits. On a system that does not divide connections between threads, the number is one.
 */
export function automaticThreads(
  most: number,
  { cores, memoryBytes, platform }: UsableMachine = usableMachine(),
): number {
  if (platform !== 'linux') return 1;
  const permitted = memoryBytes === 0 ? most : Math.floor(memoryBytes / BYTES_PER_THREAD);
  return Math.max(1, Math.min(most, cores, permitted));
}
