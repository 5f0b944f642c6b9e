import { homedir } from 'node:os';
import { basename, extname } from 'node:path';

/** The parts of a process that its configuration depends on. */
export interface ProcessFacts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly homeFolder: string;
  /** The name of its program, for a user agent. */
  readonly programName: string;
  readonly hasTerminal: boolean;
}

/** The process that runs. This is the only place of the library that reads its variables and arguments. */
export const thisProcess = (): ProcessFacts => ({
  environment: process.env,
  folder: process.cwd(),
  homeFolder: homedir(),
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
