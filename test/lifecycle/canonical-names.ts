import { type Names, namesFor } from '@orch/machinery';

const written = namesFor('kubernetes');

/** An apiVersion of a server, with the names that the tables and manifests of these tests are written with. */
export function canonicalName(apiVersion: string, names: Names): string {
  const at = apiVersion.lastIndexOf('/');
  const group = names.groupKey(apiVersion.slice(0, Math.max(0, at)));
  return group === undefined ? apiVersion : written.apiVersion(group, apiVersion.slice(at + 1));
}
