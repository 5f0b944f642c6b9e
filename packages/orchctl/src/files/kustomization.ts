import { execFile } from 'node:child_process';
import { CommandError } from '../command-error.ts';
import type { Io } from '../io.ts';
import { programOn } from '../plugins/find-plugins.ts';

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const MAX_MS = 10 * 60_000;

/** Programs that build a kustomization, and their arguments before the folder. */
const builders: readonly (readonly [program: string, ...argv: string[]])[] = [
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
];

/**
 * The objects of a kustomization as YAML, built by the first of kustomize and kubectl on the path. Rejects with a CommandError
 * that has the error output of the program, or names the programs when neither is installed.
 */
export function buildKustomization(
  folder: string,
  { environment, folder: cwd, err }: Pick<Io, 'environment' | 'folder' | 'err'>,
  options: { readonly argv?: readonly string[]; readonly signal?: AbortSignal } = {},
): Promise<string> {
  const { argv = [], signal } = options;
  const found = builders
    .map(([name, ...before]) => ({ path: programOn(environment['PATH'] ?? '', name), before }))
    .find(({ path }) => path !== undefined);
  if (found?.path === undefined)
    throw new CommandError(
      'a kustomization is built by an installed kustomize or kubectl, and neither is on the path',
    );
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const limits = { maxBuffer: MAX_OUTPUT_BYTES, timeout: MAX_MS, ...(signal && { signal }) };
  const settings = { cwd, env: { ...environment }, encoding: 'utf8', ...limits } as const;
  execFile(found.path, [...found.before, folder, ...argv], settings, (error, out, problems) => {
    if (error === null) {
      err.write(problems);
      resolve(out);
    } else if (signal?.aborted) reject(signal.reason);
    else reject(new CommandError(problems.trim() === '' ? error.message : problems.trim(), { cause: error }));
  });
  return promise;
}
