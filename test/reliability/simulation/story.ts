import type { Schedule } from './schedule/schedule.ts';

const MAX_LINES = 60;

/** A failed simulation in words: what took part, what happened when, and the last requests and writes before its end. */
export function storyOf({ cast, events }: Schedule, trace: readonly string[]): string {
  const programs = Object.entries(cast).filter(([, count]) => count > 0);
  const happenings = trace.filter((line) => line.includes(' event: '));
  const begin = trace.findIndex((line) => line.includes(' event: '));
  const writes = trace.slice(begin).filter((line) => !/ (to GET|event:) /.test(line));
  return [
    `Two servers, ${programs.map(([name, count]) => `${name}: ${count}`).join(', ')}. ${events.length} events, at milliseconds:`,
    ...happenings.map((line) => `  ${line}`),
    `Writes of clients and in the store since then, the last of ${writes.length}:`,
    ...writes.slice(-MAX_LINES).map((line) => `  ${line}`),
  ].join('\n');
}
