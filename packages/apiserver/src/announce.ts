import type { RunningApiServer } from './run-api-server.ts';

/** Tells the person, or the script, that started a program where it is: lines on standard output once it is ready. */
export function announce({ url, adminConfig, ops }: RunningApiServer): void {
  process.stdout.write(`serving on ${url}\nadmin client configuration: ${adminConfig}\n`);
  if (ops !== undefined) process.stdout.write(`health and metrics on http://${ops}\n`);
}
