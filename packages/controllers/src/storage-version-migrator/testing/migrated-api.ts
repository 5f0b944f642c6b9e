import { informerFactory } from '@orch/client';
import { type ApiObject, namesFor } from '@orch/machinery';
import {
  type DiscoveredApi,
  discoveredApi,
  type ServedResource,
  served,
} from '../../namespace/testing/discovered-api.ts';
import { storageVersionMigratorController } from '../controller.ts';

const NOW = '2024-01-01T00:00:00Z';
const GROUP = 'example.com';
const { groups } = namesFor('orch');
export const widgets = served('widgets', 'Widget', { group: GROUP });
const migrations = served('storageversionmigrations', 'StorageVersionMigration', {
  group: groups.storagemigration,
  version: 'v1',
  namespaced: false,
});
const definitions = served('customresourcedefinitions', 'CustomResourceDefinition', {
  group: groups.apiextensions,
  namespaced: false,
});
const MIGRATION = {
  collection: `${groups.storagemigration}/storageversionmigrations`,
  namespace: '',
  name: 'm',
};
const DEFINITION = {
  collection: `${groups.apiextensions}/customresourcedefinitions`,
  namespace: '',
  name: `widgets.${GROUP}`,
};
export const WIDGET_PATH = `/apis/${GROUP}/v1/namespaces/x/widgets`;
export const MIGRATION_PATH = `/apis/${groups.storagemigration}/v1/storageversionmigrations/m`;

const { signal } = new AbortController();

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** A model server with widgets and their migration, which a test advances step by step. */
export class MigratedApi {
  readonly made: DiscoveredApi;
  readonly #reconcile: (name: string) => Promise<{ readonly requeueAfterMs?: number }>;

  constructor(resources: readonly ServedResource[] = [widgets, definitions], made?: DiscoveredApi) {
    this.made = made ?? discoveredApi([...resources, migrations]);
    const { client, env } = this.made;
    const context = {
      client,
      env,
      informers: informerFactory({ client, env }),
      events: { record: () => {} },
    };
    const controller = storageVersionMigratorController(context, { writesPerSecond: 1e9 });
    this.#reconcile = (name) => controller.reconcile(name, signal);
  }

  /** The same server with a new controller. */
  restarted(): MigratedApi {
    return new MigratedApi([], this.made);
  }

  get objects(): DiscoveredApi['api']['objects'] {
    return this.made.api.objects;
  }

  addWidgets(count: number): void {
    for (let i = 0; i < count; i++) {
      const name = `w${String(i).padStart(4, '0')}`;
      this.objects.create({ collection: `${GROUP}/widgets`, namespace: 'x', name }, { metadata: {} }, NOW);
    }
  }

  writeWidget(name: string): void {
    const place = { collection: `${GROUP}/widgets`, namespace: 'x', name };
    this.objects.update(place, this.objects.get(place));
  }

  deleteWidget(name: string): void {
    this.objects.delete({ collection: `${GROUP}/widgets`, namespace: 'x', name }, {}, NOW);
  }

  /** The number of writes of each widget after its creation. */
  writes(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { place, type } of this.objects.changes)
      if (place.collection === `${GROUP}/widgets` && type === 'MODIFIED')
        counts.set(place.name, (counts.get(place.name) ?? 0) + 1);
    return counts;
  }

  define(generation: number, storedVersions: readonly string[]): void {
    const versions = [
      { name: 'v1', storage: false },
      { name: 'v2', storage: true },
    ];
    const object = { metadata: { generation }, spec: { versions }, status: { storedVersions } };
    this.objects.create(DEFINITION, object, NOW);
  }

  /** Changes the spec of the definition. */
  redefine(generation: number): void {
    const definition = this.objects.get(DEFINITION);
    this.objects.update(DEFINITION, { ...definition, metadata: { ...definition.metadata, generation } });
  }

  storedVersions(): unknown {
    return (this.objects.get(DEFINITION)['status'] as { storedVersions: unknown }).storedVersions;
  }

  migrate(resource: object = { group: GROUP, resource: 'widgets' }): void {
    this.objects.create(MIGRATION, { metadata: {}, spec: { resource }, status: {} }, NOW);
  }

  migration(): ApiObject {
    return this.objects.get(MIGRATION);
  }

  condition(type: string): Condition | undefined {
    const { conditions } = this.migration()['status'] as { conditions?: readonly Condition[] };
    return conditions?.find((condition) => condition.type === type);
  }

  /** One reconciliation. Its request for another one, in milliseconds. */
  async step(): Promise<number | undefined> {
    return (await this.#reconcile('m')).requeueAfterMs;
  }

  /** Reconciles as often as requested; time passes as requested. */
  async finish(): Promise<void> {
    for (let waitMs = await this.step(); waitMs !== undefined; waitMs = await this.step())
      await this.made.env.clock.advanceAsync(waitMs);
  }
}
