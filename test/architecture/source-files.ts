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
  return globSync('packages/*/{src,bench}/**/*.{ts,tsx}', { cwd: root }).map((path) => ({
    path,
    packageName: path.split('/')[1] ?? '',
    text: readFileSync(join(root, path), 'utf8'),
    isTest: testLike.test(path) || path.startsWith('packages/testkit/'),
  }));
}

export interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** Whether the statement exports what it imports. */
  readonly exported: boolean;
  /** The text between the keyword and `from`: `{ a, b as c }`, `* as d`. Undefined for `import 'x'` and `import('x')`. */
  readonly clause: string | undefined;
}

const importPattern =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:([^'";]*?)\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Static and dynamic imports with a literal specifier. */
export function importsOf(file: Pick<SourceFile, 'text'>): readonly Import[] {
  return [...file.text.matchAll(importPattern)].map((match) => ({
    specifier: match[4] ?? match[5] ?? '',
    typeOnly: match[2] !== undefined,
    exported: match[1] === 'export',
    clause: match[3],
  }));
}

/** The file that a relative specifier of `file` means, relative to the root. */
export const resolveRelative = (file: Pick<SourceFile, 'path'>, specifier: string): string =>
  normalize(join(dirname(file.path), specifier));
