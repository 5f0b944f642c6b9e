import type { Release, ServerFeatures } from '@orch/apis';
import type { CounterSeries, Env, Names } from '@orch/machinery';
import { Turns } from '@orch/machinery/concurrency';
import { AggregatedTexts } from './aggregated-texts.ts';
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
  readonly env: Pick<Env, 'clock' | 'metrics' | 'turns'>;
}

/**
 * Discovery in one document, by path and version. A document is created when it is first requested after a change, in turns, and
 * only what has changed is encoded.
 */
export class AggregatedDocuments {
  readonly #groups: Pick<ListedGroups, 'all'>;
  readonly #texts: AggregatedTexts;
  readonly #turns: Turns;
  readonly #type: string;
  readonly #made: CounterSeries;
  #documents = new Map<string, TaggedDocument | Promise<TaggedDocument>>();
  /** Of the last document of each path. */
  readonly #sizes = new Map<string, number>();
  #of: readonly ListedGroup[] = [];

  constructor(groups: Pick<ListedGroups, 'all'>, { names, release, env }: AggregatedDocumentsOptions) {
    this.#groups = groups;
    this.#texts = new AggregatedTexts({ names, release });
    this.#turns = new Turns(env);
    this.#type = `application/json;g=${names.group('apidiscovery')}`;
    const made = env.metrics.counter({
      name: 'aggregator_discovery_aggregation_count_total',
      help: 'How often documents of aggregated discovery were made.',
      stability: 'ALPHA',
    });
    this.#made = made.series();
  }

  /** The size of the last document of a path, in any version: they are of the same order. */
  bytes(path: string): number {
    return this.#sizes.get(path) ?? 0;
  }

  /** The current document; a promise while it is made. */
  find(path: string, version: AggregatedVersion): AggregatedReply | Promise<AggregatedReply> {
    const { all } = this.#groups;
    if (all !== this.#of) {
      this.#documents = new Map();
      this.#of = all;
    }
    const key = `${path} ${version}`;
    const document = this.#documents.get(key) ?? this.#make(path, version, key);
    const headers = { 'Content-Type': `${this.#type};v=${version};as=${AGGREGATED_KIND}` };
    if (document instanceof Promise) return document.then((made) => ({ document: made, headers }));
    return { document, headers };
  }

  #make(path: string, version: AggregatedVersion, key: string): TaggedDocument | Promise<TaggedDocument> {
    this.#made.inc();
    const groups = this.#of.filter(({ name }) => (path === '/api') === (name === ''));
    // A document that is ready after the next change is not kept.
    const documents = this.#documents;
    const keep = (bytes: Buffer): TaggedDocument => {
      const document = tagged(bytes);
      documents.set(key, document);
      this.#sizes.set(path, bytes.length);
      return document;
    };
    const bytes = this.#turns.run(this.#texts.document(groups, version));
    if (!(bytes instanceof Promise)) return keep(bytes);
    const making = bytes.then(keep);
    documents.set(key, making);
    // A request after a failure tries again.
    making.catch(() => documents.delete(key));
    return making;
  }
}
