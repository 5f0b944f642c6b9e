import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kubectlVersion } from './kubectl-versions.ts';

export interface Kubectl {
  readonly path: string;
  /** `1.20`, as reported by the program. */
  readonly release: string;
}

const executable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

function candidates(root: string): string[] {
  const found = [join(root, '.tools', 'kubectl')];
  for (const folder of (process.env['PATH'] ?? '').split(':').filter((p) => p !== '')) {
    const path = join(folder, 'kubectl');
    if (!executable(path)) continue;
    // Some distributions put several releases next to the one in PATH, named after their release.
    const home = dirname(realpathSync(path));
    for (const name of readdirSync(home))
      if (/^kubectl(\.\d+\.\d+)?$/.test(name)) found.push(join(home, name));
  }
  return found.filter(executable);
}

/** Every kubectl on this machine, one per release, oldest first. */
export async function findKubectls(root: string): Promise<readonly Kubectl[]> {
  const byRelease = new Map<string, Kubectl>();
  for (const path of new Set(candidates(root).map((p) => realpathSync(p)))) {
    const version = /^v(\d+)\.(\d+)\..*$/.exec(await kubectlVersion(path));
    // A dispatcher runs the client of the release that the server reports, so it is not a client itself.
    if (version === null || /dispatcher/.test(version[0])) continue;
    const release = `${version[1]}.${version[2]}`;
    if (!byRelease.has(release)) byRelease.set(release, { path, release });
  }
  return [...byRelease.values()].sort(
    (a, b) => Number(a.release.split('.')[1]) - Number(b.release.split('.')[1]),
  );
}

/**
 * The oldest and the newest kubectl: the releases between do the same as one of them. The suite that shows that a
 * release can be used at all runs with every one; `TEST_KUBECTLS=all` makes all suites do so.
 */
export async function representativeKubectls(root: string): Promise<readonly Kubectl[]> {
  const all = await findKubectls(root);
  if (process.env['TEST_KUBECTLS'] === 'all') return all;
  const chosen = new Set([all.at(0), all.at(-1)]);
  return all.filter((kubectl) => chosen.has(kubectl));
}
