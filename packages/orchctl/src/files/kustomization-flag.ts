import { UsageError } from '@orch/program/flags';

/** Marks a folder with a kustomization among names of files; no argument of a program contains a NUL. */
const MARK = '\0kustomization:';

/** The values of flags with the folder of `--kustomize` as the one file. Throws a UsageError when files are given as well. */
export function withKustomization<T>(values: T): T {
  const { kustomize = '', filename = [] } = values as { kustomize?: string; filename?: readonly string[] };
  if (kustomize === '') return values;
  if (filename.length > 0) throw new UsageError('only one of --filename and --kustomize can be given');
  return { ...values, filename: [`${MARK}${kustomize}`] };
}

/** The folder of `--kustomize`; undefined for the name of a file. */
export const kustomizationOf = (name: string): string | undefined =>
  name.startsWith(MARK) ? name.slice(MARK.length) : undefined;
