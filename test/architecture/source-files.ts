import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly packageName: string;
  readonly text: string;
  readonly isTest: boolean;
}

const testLike = /\.test\.ts$|\/(testing|conformance|bench)\//;

/** Every TypeScript file under `packages/`, build output and dependencies left out. */
export function sourceFiles(): readonly SourceFile[] {
  return globSync('packages/*/{src,bench}/**/*.ts', { cwd: root }).map((path) => ({
    path,
    packageName: path.split('/')[1] ?? '',
    text: readFileSync(join(root, path), 'utf8'),
    isTest: testLike.test(path) || path.startsWith('packages/testkit/'),
  }));
}

export interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Static and dynamic imports with a literal specifier. */
export function importsOf(file: Pick<SourceFile, 'text'>): readonly Import[] {
  return [...file.text.matchAll(importPattern)].map((match) => ({
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
  }));
}

/** The file that a relative specifier of `file` means, relative to the root. */
export const resolveRelative = (file: Pick<SourceFile, 'path'>, specifier: string): string =>
  normalize(join(dirname(file.path), specifier));
