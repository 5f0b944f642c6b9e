import { type Client, createClient, type LoadedConfig } from '@orch/client';
import { messageOf } from '@orch/machinery';
import type { ControlPlane } from '../options.ts';

/** A step of the users of a controller: it creates, changes or deletes objects. */
export type Step = (client: Client) => Promise<unknown>;

/** The controllers under test, and what users do with their objects. */
export interface Subject {
  /** The checks use a fork of it, and leave it as it is. */
  readonly plane: ControlPlane;
  /** Runs the controllers until the signal aborts, as `runManager` does. */
  readonly run: (config: LoadedConfig, signal: AbortSignal) => Promise<void>;
  /** Steps of users, in their usual order. */
  readonly steps: readonly Step[];
  /** The time in which the controllers have to come to rest after the steps; 30 s when absent. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;

export const timeoutOf = ({ timeoutMs = TIMEOUT_MS }: Subject): number => timeoutMs;

/** Controllers that run. */
export interface RunningControllers {
  /** Settles when they have ended. */
  readonly ended: Promise<void>;
  /** Ends them. Rejects with their failure. */
  stop(): Promise<void>;
}

/** Starts the controllers of a subject. */
export function startControllers({ run }: Subject, config: LoadedConfig): RunningControllers {
  const stop = new AbortController();
  const reason = new Error('the controllers under test are stopped');
  const ended = run(config, stop.signal).catch((error: unknown) => {
    if (error !== reason) throw error;
  });
  // Reported by `stop`.
  ended.catch(() => undefined);
  return {
    ended,
    async stop() {
      stop.abort(reason);
      await ended;
    },
  };
}

/** Performs steps in order. Rejects with the number of the step that failed. */
export async function perform(steps: readonly Step[], plane: ControlPlane): Promise<void> {
  const client = createClient(plane.config);
  for (const [i, step] of steps.entries())
    await step(client).catch((cause: unknown) => {
      throw new Error(`step ${i + 1} of the test failed: ${messageOf(cause)}`, { cause });
    });
}

/** Starts the controllers, performs steps, and stops the controllers when nothing remains to be done. */
export async function settle(
  subject: Subject,
  plane: ControlPlane,
  { config = plane.config, steps = subject.steps }: { config?: LoadedConfig; steps?: readonly Step[] } = {},
): Promise<void> {
  const running = startControllers(subject, config);
  try {
    await perform(steps, plane);
    await plane.quiescent({ timeoutMs: timeoutOf(subject) });
  } finally {
    await running.stop();
  }
}
