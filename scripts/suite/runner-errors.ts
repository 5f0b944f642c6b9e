/**
 * Prints errors of the runner outside of its promises, and fails the run: each `run` of `node:test` handles them, and says them in an event
 * only.
 */
export function printRunnerErrors(): void {
  const print = (error: unknown): void => {
    console.error('error of the runner:', error);
    process.exitCode = 1;
  };
  process.on('uncaughtExceptionMonitor', print);
  process.on('unhandledRejection', print);
}
