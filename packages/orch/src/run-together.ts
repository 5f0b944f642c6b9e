import { anySignal } from '@orch/machinery';

/** A part of a process: works until the signal aborts. */
export interface Part {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Runs parts side by side until the signal aborts and all have ended. When one ends by itself, the others are stopped;
 * rejects with the first failure, once all have ended.
 */
export async function runTogether(parts: readonly Part[], signal: AbortSignal): Promise<void> {
  using scope = anySignal([signal]);
  const failures: unknown[] = [];
  await Promise.all(
    parts.map(async (part) => {
      try {
        await part.run(scope.signal);
      } catch (error) {
        failures.push(error);
      }
      scope.abort(new Error(`${part.name} has ended`));
    }),
  );
  if (failures.length > 0) throw failures[0];
}
