import type { Client, DiscoveredResource, DiscoverySnapshot } from '@orch/client';
import { parseApiVersion } from '@orch/machinery';
import { type DefinitionState, type Migration, resourceName } from './progress.ts';

/** The resource that a migration names. */
export type Target =
  | { readonly kind: 'found'; readonly resource: DiscoveredResource; readonly snapshot: DiscoverySnapshot }
  /** The server serves no such resource. */
  | { readonly kind: 'absent'; readonly why: string }
  /** Its objects cannot be migrated. */
  | { readonly kind: 'unsuitable'; readonly why: string };

const requiredVerbs = ['list', 'patch'] as const;

/**
 * The resource of a migration, by discovery: in the storage version of its definition where that is served, so that a
 * conversion webhook is called no more than necessary, else in the preferred version. Rejects when its group cannot be
 * discovered at present.
 */
export async function findTarget(
  client: Client,
  migration: Migration,
  definition: DefinitionState | undefined,
  signal: AbortSignal,
): Promise<Target> {
  const snapshot = await client.discovery.read(signal);
  const { group = '', resource = '' } = migration.spec?.resource ?? {};
  const isWanted = (one: DiscoveredResource): boolean => one.group === group && one.resource === resource;
  const found =
    snapshot.all.find((one) => isWanted(one) && one.version === definition?.storageVersion) ??
    snapshot.preferred.find(isWanted);
  const name = resourceName(migration);
  if (found === undefined) {
    const failure = [...snapshot.failed].find(([apiVersion]) => parseApiVersion(apiVersion)?.group === group);
    if (failure !== undefined) throw new Error(`${failure[0]} cannot be discovered: ${failure[1]}`);
    return { kind: 'absent', why: `the server does not serve ${name}` };
  }
  const missing = requiredVerbs.filter((verb) => !found.verbs.includes(verb));
  return missing.length === 0
    ? { kind: 'found', resource: found, snapshot }
    : { kind: 'unsuitable', why: `${name} does not support ${missing.join(' and ')}` };
}
