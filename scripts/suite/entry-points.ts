import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `@name/package/entry` and the path of its module, for every entry point of the packages of the checkout `root`. */
export function entryPoints(root: string): readonly (readonly [specifier: string, path: string])[] {
  return globSync('packages/*/package.json', { cwd: root }).flatMap((file) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, file), 'utf8'));
    return Object.entries<string>(exports).map(
      ([entry, path]) => [join(name, entry), join(dirname(file), path)] as const,
    );
  });
}
