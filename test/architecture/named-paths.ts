import { globSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './source-files.ts';

const AREAS = 'packages|test|docs|scripts|bench|charts|deploy|examples|lint|bin';

/** The text in backticks on a page, on one line. */
export const quoted = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');

/** Every file and folder of the project, relative to its root, without what is built or installed. */
export function projectPaths(): readonly string[] {
  return [
    ...globSync(['*', `{${AREAS.replaceAll('|', ',')}}/**/*`], {
      cwd: root,
      exclude: (name) => name === 'node_modules' || name === 'dist',
    }),
  ];
}

/** Reports whether `name` is a source file or page, or starts with a top folder or package; `storage/v1` is a version of an API. */
function meansPath(name: string, packages: readonly string[]): boolean {
  if (!/^[\w./*<>-]+$/.test(name) || /\/v\d[^/]*$/.test(name)) return false;
  if (/^[\w./*<>-]*\w\.(ts|mjs|md)$/.test(name)) return true;
  const [first = '', ...rest] = name.split('/');
  return rest.join('') !== '' && (new RegExp(`^(${AREAS})$`).test(first) || packages.includes(first));
}

/** `<name>` and `*` in a path stand for any part of it. */
const patternOf = (name: string): string =>
  name
    .replace(/\/$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/<[^>]*>|\*+/g, '[^/]+');

/**
 * Paths quoted by the page that do not exist. A path is complete, or relative to the page or the `src` beside it, or the end
 * of a complete path; `packages/x/src/y` may be written `x/y` or `x/src/y`.
 */
export function missingPaths(
  page: { readonly path: string; readonly text: string },
  paths: readonly string[],
): readonly string[] {
  const packages = [...new Set(paths.flatMap((path) => /^packages\/([^/]+)$/.exec(path)?.[1] ?? []))];
  const known = paths.flatMap((path) => [path, path.replace(/^(packages\/[^/]+)\/src\//, '$1/')]).join('\n');
  const folder = dirname(page.path);
  return quoted(page.text)
    .filter((name) => meansPath(name, packages))
    .filter((name) => {
      const from = [normalize(join(folder, name)), normalize(join(folder, 'src', name))];
      return !(
        from.some((path) => new RegExp(`^${patternOf(path)}$`, 'm').test(known)) ||
        new RegExp(`(^|/)${patternOf(name)}$`, 'm').test(known)
      );
    });
}
