import type { Env } from '@orch/machinery';
import { anySignal } from '@orch/machinery/concurrency';
import type { InformerFactory } from '../informer/types.ts';
import { type ControllerLoop, controllerLoop, type LoopOptions } from './controller-loop.ts';
import type { Controller } from './types.ts';

/** Limits of running controllers, and the informers that run with them. */
export interface RunOptions extends LoopOptions {
  /** Runs together with the controllers, unless the caller runs it. */
  readonly informers?: InformerFactory;
}

/**
 * Runs controllers until the signal aborts, and resolves when all their work has ended. Rejects when one of them cannot
 * start, after the others have ended.
 */
export async function runControllers<K = string>(
  env: Env,
  controllers: readonly Controller<K>[],
  options: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const loops = controllers.map((each) => controllerLoop(env, each, options));
  await runLoops(loops, options, signal);
}

/** As `runControllers`, for loops whose state the caller observes. Rejects as that does. */
export async function runLoops(
  loops: readonly ControllerLoop[],
  { informers }: Pick<RunOptions, 'informers'>,
  signal: AbortSignal,
): Promise<void> {
  using scope = anySignal([signal]);
  const runs = [
    ...loops.map((loop) => loop.run(scope.signal)),
    ...(informers === undefined ? [] : [informers.run(scope.signal)]),
  ].map((run) =>
    run.catch((error: unknown) => {
      scope.abort(error);
      throw error;
    }),
  );
  const ended = await Promise.allSettled(runs);
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
