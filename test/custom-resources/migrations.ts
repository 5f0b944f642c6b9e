import assert from 'node:assert/strict';
import type { Names } from '@orch/machinery';
import type { ApiClient, ApiResponse } from '@orch/testkit';

/** The flag with which a server serves storage version migrations. */
export const serveMigrations = (names: Names): string =>
  `--runtime-config=${names.apiVersion('storagemigration', 'v1beta1')}=true`;

export const migrationsPath = (names: Names, name = ''): string =>
  `/apis/${names.apiVersion('storagemigration', 'v1beta1')}/storageversionmigrations${name === '' ? '' : `/${name}`}`;

export const migrationOf = (names: Names, name: string, group: string, resource: string): object => ({
  apiVersion: names.apiVersion('storagemigration', 'v1beta1'),
  kind: 'StorageVersionMigration',
  metadata: { name },
  spec: { resource: { group, resource } },
});

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface Migration {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly status: { readonly conditions?: readonly Condition[]; readonly resourceVersion?: string };
}

export const conditionOf = ({ status }: Migration, type: string): Condition | undefined =>
  status.conditions?.find((condition) => condition.type === type);

export const isTrue = (migration: Migration, type: string): boolean =>
  conditionOf(migration, type)?.status === 'True';

export function jsonOf<T>(answer: ApiResponse, status = 200): T {
  assert.equal(answer.status, status, answer.text);
  return answer.json as T;
}

export async function startMigration(
  client: ApiClient,
  names: Names,
  { name, group, resource }: { readonly name: string; readonly group: string; readonly resource: string },
): Promise<Migration> {
  return jsonOf(await client.post(migrationsPath(names), migrationOf(names, name, group, resource)), 201);
}

/** The states of a migration, by a watch from a state on, until one is as wanted; that one is the last. */
export async function watchMigration(
  client: ApiClient,
  names: Names,
  { metadata }: Pick<Migration, 'metadata'>,
  isWanted: (migration: Migration) => boolean,
): Promise<readonly Migration[]> {
  const query = `watch=true&fieldSelector=metadata.name%3D${metadata.name}&resourceVersion=${metadata.resourceVersion}`;
  const stop = new AbortController();
  const seen: Migration[] = [];
  try {
    for await (const { object } of client.watch(`${migrationsPath(names)}?${query}`, stop.signal)) {
      const migration = object as unknown as Migration;
      seen.push(migration);
      if (isWanted(migration)) return seen;
    }
    throw new Error(`the watch ended before: ${JSON.stringify(seen.at(-1))}`);
  } finally {
    stop.abort();
  }
}

export const isFinished = (migration: Migration): boolean =>
  isTrue(migration, 'Succeeded') || isTrue(migration, 'Failed');
