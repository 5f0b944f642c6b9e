import { execFileSync } from 'node:child_process';
import { programPath } from '@orch/testkit';

/** Why file systems of images and machines cannot be made here, as the reason to skip a test; false where they can. */
export function fileSystemObstacle(...programs: readonly string[]): string | false {
  if (process.platform !== 'linux') return 'namespaces are those of Linux';
  if (process.getuid?.() !== 0) return 'file systems are mounted by root only';
  const needed = ['unshare', 'nsenter', 'setpriv', 'ip', ...programs];
  const missing = needed.filter((name) => programPath(name) === undefined);
  if (missing.length > 0) return `not found: ${missing.join(', ')}`;
  try {
    const probe = ['--mount', '--net', '--propagation=private', 'ip', 'link', 'set', 'lo', 'up'];
    execFileSync('unshare', probe, { stdio: 'ignore' });
    return false;
  } catch {
    return 'this user may not make namespaces';
  }
}
