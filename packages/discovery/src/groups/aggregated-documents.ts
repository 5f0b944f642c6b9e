import type { Names } from '@orch/machinery';
import { aggregatedDocument } from './documents.ts';
import { type TaggedDocument, tagged } from './etag.ts';
import type { ServedGroup, ServedGroups } from './served-groups.ts';

/** Served in every emulated release: clients that support the form prefer it and name others that they accept. */
export const aggregatedVersions = ['v2', 'v2beta1'] as const;
export type AggregatedVersion = (typeof aggregatedVersions)[number];
export const AGGREGATED_KIND = 'APIGroupDiscoveryList';

export interface AggregatedReply {
  readonly document: TaggedDocument;
  readonly headers: { readonly 'Content-Type': string };
}

/** Discovery in one document, by path and version. A document is made when it is first requested after a change. */
export class AggregatedDocuments {
  readonly #groups: ServedGroups;
  readonly #names: Names;
  readonly #documents = new Map<string, TaggedDocument>();
  #of: readonly ServedGroup[] = [];

  constructor(groups: ServedGroups, { names }: { readonly names: Names }) {
    this.#groups = groups;
    this.#names = names;
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
    const groups = this.#of.filter(({ name }) => (path === '/api') === (name === ''));
    return tagged(aggregatedDocument(groups, this.#names.apiVersion('apidiscovery', version), this.#names));
  }
}
