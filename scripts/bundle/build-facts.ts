import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The facts that a program reports about its build. */
export interface BuildFacts {
  readonly version: string;
  /** Empty when it is not known. */
  readonly commit: string;
  /** RFC 3339 time of the commit; empty when it is not known. */
  readonly date: string;
}

/** The facts of the repository in a folder; `given` identifies the source when there is no history. */
export function buildFacts(
  root: string,
  given: { readonly commit?: string | undefined; readonly date?: string | undefined },
): BuildFacts {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    version,
    commit: given.commit ?? git(root, 'rev-parse', 'HEAD'),
    date: given.date ?? git(root, 'log', '-1', '--format=%cI'),
  };
}

function git(cwd: string, ...args: readonly string[]): string {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    // A copy without its history builds as well.
    return '';
  }
}
