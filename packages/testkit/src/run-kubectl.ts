import { type CommandResult, run } from './run.ts';

/** The message of kubectl when it reads output before it has made the stream for it. */
const lostOutput = /Unknown stream id \d+, discarding message/;
const MOST_RUNS = 5;

/**
 * Runs kubectl to its end. Releases before 1.34 read from a web socket while they still make their streams, and lose output that arrives
 * first; they say so and exit with 0. Such a run tells nothing about the server, so kubectl runs again, at most four times.
 */
export async function runKubectl(...invocation: Parameters<typeof run>): Promise<CommandResult> {
  for (let runs = 1; ; runs++) {
    const result = await run(...invocation);
    if (runs === MOST_RUNS || !lostOutput.test(result.stderr)) return result;
  }
}
