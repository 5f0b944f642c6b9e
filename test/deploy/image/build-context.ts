import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Copies the files of the repository that a builder would receive, all but those that `.dockerignore` excludes. */
export function copyBuildContext(root: string, target: string): void {
  const isSent = acceptedBy(readFileSync(join(root, '.dockerignore'), 'utf8'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const sent = listed
    .split('\0')
    .filter((path) => path !== '' && isSent(path) && existsSync(join(root, path)));
  mkdirSync(target);
  execFileSync('xargs', ['-0', 'cp', '-a', '--parents', '-t', target], { cwd: root, input: sent.join('\0') });
}

/** The last pattern that matches a path, or a folder above it, decides. */
export function acceptedBy(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ accepts: line.startsWith('!'), matches: expressionOf(line.replace(/^!/, '')) }));
  return (path) => rules.findLast(({ matches }) => matches.test(path))?.accepts ?? true;
}

/** A pattern with `*` within a name and a leading `**` for folders at any depth. */
function expressionOf(pattern: string): RegExp {
  const [, anywhere, rest = ''] = /^(\*\*\/)?(.*)$/.exec(pattern) ?? [];
  const name = rest.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  return new RegExp(`^${anywhere === undefined ? '' : '(?:.*/)?'}${name}(?:/|$)`);
}
