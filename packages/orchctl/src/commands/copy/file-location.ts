import { UsageError } from '@orch/program/flags';

/** A file of this machine, or of a container. */
export type FileLocation =
  | { readonly kind: 'local'; readonly path: string }
  | {
      readonly kind: 'remote';
      readonly namespace: string | undefined;
      readonly pod: string;
      readonly path: string;
    };

/** Reads `PATH` or `[NAMESPACE/]POD:PATH`. A word that begins with `/` or `.` is a path of this machine, also with a colon. */
export function parseLocation(word: string): FileLocation {
  const at = /^[/.]/.test(word) ? -1 : word.indexOf(':');
  const path = word.slice(at + 1);
  if (path === '') throw new UsageError('filepath can not be empty');
  if (at < 0) return { kind: 'local', path };
  const names = word.slice(0, at).split('/');
  const [pod = '', namespace] = names.toReversed();
  if (names.length > 2 || names.includes(''))
    throw new UsageError('filespec must match the canonical format: [[namespace/]pod:]file/path');
  return { kind: 'remote', namespace, pod, path };
}
