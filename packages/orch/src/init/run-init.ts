import { join, resolve } from 'node:path';
import { withFileLock } from '@orch/apiserver';
import { namesFor } from '@orch/machinery';
import { StartError, writeProblem } from '@orch/program';
import { type FileSystem, systemFiles } from './file-system.ts';
import { InitFolder } from './folder.ts';
import type { InClusterHost } from './init-in-cluster.ts';
import { fileNames, knownFiles } from './parts.ts';
import { type Plan, planInit } from './plan.ts';
import { reportText } from './report.ts';
import { manifestsOf } from './secrets.ts';
import { checkFlags, hostsOf, type InitFlags, requestsOf, settingsFrom } from './settings.ts';
import { readState } from './state.ts';

export interface InitHost extends InClusterHost {
  readonly print: (text: string) => void;
  readonly files?: FileSystem;
}

/**
 * Creates the files that the servers of a cluster share, and renews those that expire. Runs with the same folder wait
 * for each other. Throws `UsageError` and `StartError`; nothing is changed then.
 */
export async function runInit(flags: InitFlags, host: InitHost, signal: AbortSignal): Promise<void> {
  checkFlags(flags);
  const { asSecrets, output, dryRun } = flags;
  if (asSecrets === 'cluster') {
    // Loaded only here: it includes the client library and the controllers.
    const { initInCluster } = await import('./init-in-cluster.ts');
    const { plan, location } = await initInCluster(
      flags,
      host,
      (files) => planFor(flags, files, host.env),
      signal,
    );
    host.print(reportText(plan, { location, dryRun, output }));
    return;
  }
  const dir = resolve(flags.dir);
  const folder = new InitFolder(dir, host.files ?? systemFiles);
  const plan = await initInFolder(flags, { folder, dir, env: host.env }, signal);
  host.print(
    asSecrets === 'manifests'
      ? manifestsOf(folder.read(allFiles), { prefix: flags.secretsName, namespace: flags.secretsNamespace })
      : reportText(plan, { location: dir, dryRun, output }),
  );
}

const allFiles = knownFiles(namesFor('orch'));

interface FolderParts {
  readonly folder: InitFolder;
  readonly dir: string;
  readonly env: InitHost['env'];
}

async function initInFolder(
  flags: InitFlags,
  { folder, dir, env }: FolderParts,
  signal: AbortSignal,
): Promise<Plan> {
  if (flags.dryRun) return dryRunPlan(flags, folder, env);
  return locked(dir, env, signal, () => {
    folder.recover();
    const made = planFor(flags, folder.read(allFiles), env);
    folder.commit(made.changes);
    return made;
  });
}

function dryRunPlan(flags: InitFlags, folder: InitFolder, env: InitHost['env']): Plan {
  if (folder.isInterrupted)
    throw new StartError(`an earlier run in ${flags.dir} was interrupted: run this without --dry-run first`);
  return planFor(flags, folder.read(allFiles), env);
}

function planFor(flags: InitFlags, files: ReadonlyMap<string, string>, env: InitHost['env']): Plan {
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
    throw new StartError(`--dir ${dir}: ${writeProblem(dir, error)}`, { cause: error });
  }
}
