import { homedir, hostname } from 'node:os';
import { basename, extname } from 'node:path';

/** The parts of a process that its configuration depends on. */
export interface ProcessFacts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The arguments of the program. */
  readonly args: readonly string[];
  readonly folder: string;
  readonly homeFolder: string;
  /** The name of the machine, or of the pod. */
  readonly host: string;
  /** The name of its program, for a user agent. */
  readonly programName: string;
  readonly hasTerminal: boolean;
}

/** The process that runs. This is the only place of the library that reads its variables and arguments. */
export const thisProcess = (): ProcessFacts => ({
  environment: process.env,
  args: process.argv.slice(2),
  folder: process.cwd(),
  homeFolder: homedir(),
  host: hostname(),
  programName: programName(process.argv[1]),
  // Read when it is needed: to find out loads a module of the runtime.
  get hasTerminal() {
    return process.stdin.isTTY === true;
  },
});

/** The name of a script, as the first part of a user agent, which is also the default field manager. */
export function programName(script = ''): string {
  const name = basename(script, extname(script)).replace(/[^\w.-]+/g, '-');
  return name === '' ? 'node' : name;
}

/** A signal that aborts when the process is asked to stop, by SIGINT or SIGTERM. A second one ends the process, as without it. */
export function stopSignal(): Disposable & { readonly signal: AbortSignal } {
  const stop = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const listener = (name: NodeJS.Signals): void => {
    release();
    stop.abort(new Error(`the process was asked to stop: ${name}`));
  };
  const release = (): void => {
    for (const name of names) process.off(name, listener);
  };
  for (const name of names) process.on(name, listener);
  return { signal: stop.signal, [Symbol.dispose]: release };
}
