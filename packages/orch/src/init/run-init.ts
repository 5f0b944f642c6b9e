import { join, resolve } from 'node:path';
import { withFileLock } from '@orch/apiserver';
import { type Env, messageOf, namesFor } from '@orch/machinery';
import { StartError } from '@orch/program';
import { type FileSystem, systemFiles } from './file-system.ts';
import { InitFolder } from './folder.ts';
import { fileNames, knownFiles } from './parts.ts';
import { type Plan, planInit } from './plan.ts';
import { reportText } from './report.ts';
import { checkFlags, hostsOf, type InitFlags, requestsOf, settingsFrom } from './settings.ts';
import { readState } from './state.ts';

export interface InitHost {
  readonly env: Pick<Env, 'clock' | 'random' | 'log'>;
  readonly print: (text: string) => void;
  readonly files?: FileSystem;
}

/**
 * Creates what the servers of a cluster share, and renews what expires. Runs with the same folder wait for each other. Throws
 * `UsageError` and `StartError`; nothing is changed then.
 */
export async function runInit(flags: InitFlags, host: InitHost, signal: AbortSignal): Promise<void> {
  checkFlags(flags);
  const { env, files = systemFiles } = host;
  const dir = resolve(flags.dir);
  const folder = new InitFolder(dir, files);
  const { dryRun, output } = flags;
  const plan = dryRun
    ? dryRunPlan(flags, folder, env)
    : await locked(dir, env, signal, () => {
        folder.recover();
        const made = planFor(flags, folder, env);
        folder.commit(made.changes);
        return made;
      });
  host.print(reportText(plan, { dir, dryRun, output }));
}

function dryRunPlan(flags: InitFlags, folder: InitFolder, env: InitHost['env']): Plan {
  if (folder.isInterrupted)
    throw new StartError(`an earlier run in ${flags.dir} was interrupted: run this without --dry-run first`);
  return planFor(flags, folder, env);
}

function planFor(flags: InitFlags, folder: InitFolder, env: InitHost['env']): Plan {
  const files = folder.read(knownFiles(namesFor('orch')));
  const state = readState(files.get(fileNames.state));
  const settings = settingsFrom(flags, state.settings);
  return planInit(files, state, {
    settings,
    hosts: hostsOf(settings),
    renewBeforeMs: flags.renewBefore,
    rotateWaitMs: flags.rotateWait,
    requests: requestsOf(flags),
    names: namesFor(settings.naming),
    env,
  });
}

async function locked<T>(dir: string, env: InitHost['env'], signal: AbortSignal, work: () => T): Promise<T> {
  try {
    return await withFileLock(join(dir, '.lock'), env, signal, work);
  } catch (error) {
    if (signal.aborted || error instanceof StartError) throw error;
    throw new StartError(`--dir ${dir}: ${messageOf(error)}`, { cause: error });
  }
}
