import type { Release, ServerFeatures } from '@orch/apis';
import type { CounterSeries, Env, Names } from '@orch/machinery';
import { aggregatedDocument } from './documents.ts';
import { type TaggedDocument, tagged } from './etag.ts';
import type { ListedGroup, ListedGroups } from './listed-groups.ts';

export type AggregatedVersion = 'v2' | 'v2beta1';

/**
 * The served versions: in every emulated release, since clients that support the format prefer it and list others that they
 * accept. Later releases have removed the beta version.
 */
export const aggregatedVersionsOf = ({
  removedBetaDiscovery,
}: Pick<ServerFeatures, 'removedBetaDiscovery'>): readonly AggregatedVersion[] =>
  removedBetaDiscovery ? ['v2'] : ['v2', 'v2beta1'];

export const AGGREGATED_KIND = 'APIGroupDiscoveryList';

export interface AggregatedReply {
  readonly document: TaggedDocument;
  readonly headers: { readonly 'Content-Type': string };
}

export interface AggregatedDocumentsOptions {
  readonly names: Names;
  readonly release: Release;
  readonly env: Pick<Env, 'metrics'>;
}

/** Discovery in one document, by path and version. A document is created when it is first requested after a change. */
export class AggregatedDocuments {
  readonly #groups: ListedGroups;
  readonly #names: Names;
  readonly #release: Release;
  readonly #made: CounterSeries;
  readonly #documents = new Map<string, TaggedDocument>();
  #of: readonly ListedGroup[] = [];

  constructor(groups: ListedGroups, { names, release, env }: AggregatedDocumentsOptions) {
    this.#groups = groups;
    this.#names = names;
    this.#release = release;
    const made = env.metrics.counter({
      name: 'aggregator_discovery_aggregation_count_total',
      help: 'How often documents of aggregated discovery were made.',
      stability: 'ALPHA',
    });
    this.#made = made.series();
  }

  find(path: string, version: AggregatedVersion): AggregatedReply {
    const { all } = this.#groups;
    if (all !== this.#of) {
      this.#documents.clear();
      this.#of = all;
    }
    const key = `${path} ${version}`;
    const document = this.#documents.get(key) ?? this.#make(path, version);
    this.#documents.set(key, document);
    const type = `application/json;g=${this.#names.group('apidiscovery')};v=${version};as=${AGGREGATED_KIND}`;
    return { document, headers: { 'Content-Type': type } };
  }

  #make(path: string, version: AggregatedVersion): TaggedDocument {
    this.#made.inc();
    const groups = this.#of.filter(({ name }) => (path === '/api') === (name === ''));
    return tagged(aggregatedDocument(groups, version, { names: this.#names, release: this.#release }));
  }
}
