import type { VersionInfo } from '@orch/program';
import type { Route } from '@orch/request';

const jsonHeaders = Object.freeze({ 'Content-Type': 'application/json' });

/** `/version`, and `/version/` for clients that add a slash. Always indented, for readability. */
export function versionRoutes(info: VersionInfo): readonly Route[] {
  const body = Buffer.from(`${JSON.stringify(info, undefined, 2)}\n`);
  const reply = Object.freeze({ kind: 'bytes', status: 200, headers: jsonHeaders, body } as const);
  return [{ path: '/version', orSlash: true, handle: () => reply }];
}
