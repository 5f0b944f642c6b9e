import { ObjectMeta, omittedWhereEmpty, type Release } from '@orch/apis';
import type { Names } from '@orch/machinery';
import { Pace, type Work } from '@orch/machinery/concurrency';
import { jsonText } from '@orch/machinery/json';
import type { ServedResource } from '@orch/registry';
import { compileCodec } from '@orch/schema';
import { namedVersion } from './documents.ts';
import { isExtension, type ListedGroup, type ListedVersion } from './listed-groups.ts';
import { isCustomGroup, servedSubresources } from './served-groups.ts';

export interface AggregatedTextsOptions {
  readonly names: Names;
  readonly release: Release;
}

/** Small steps that take as long as the encoding of one resource. */
const STEPS_OF_A_RESOURCE = 8;

/**
 * The aggregated form of `/api` and `/apis`: all groups with all their resources in one document. A resource is encoded once, and
 * its text is part of every document that is made while it is served.
 */
export class AggregatedTexts {
  readonly #names: Names;
  readonly #release: Release;
  readonly #resources = new WeakMap<ServedResource, string>();

  constructor({ names, release }: AggregatedTextsOptions) {
    this.#names = names;
    this.#release = release;
  }

  /** The document of groups, in pieces. */
  *document(groups: readonly ListedGroup[], aggregatedIn: string): Work<Buffer> {
    const metadata = compileCodec(ObjectMeta, this.#names, { quiet: omittedWhereEmpty(this.#release) });
    const head = {
      kind: 'APIGroupDiscoveryList',
      apiVersion: this.#names.apiVersion('apidiscovery', aggregatedIn),
      metadata: {},
    };
    const pace = new Pace();
    const items: string[] = [];
    for (const { name, versions } of groups) {
      const texts: string[] = [];
      for (const version of versions) texts.push(yield* this.#version(version, pace));
      items.push(withList({ metadata: metadata.decode({ name }).value }, 'versions', texts));
    }
    return Buffer.from(withList(head, 'items', items));
  }

  *#version(listed: ListedVersion, pace: Pace): Work<string> {
    const { version } = listed;
    if (isExtension(listed)) {
      const { discovered, freshness } = listed;
      const resources = discovered.length === 0 ? {} : { resources: discovered };
      return jsonText({ version, ...resources, freshness });
    }
    const texts: string[] = [];
    for (const resource of listed.resources) {
      if (pace.isDue()) yield;
      texts.push(this.#resource(resource, pace));
    }
    return withList({ version }, 'resources', texts, { freshness: 'Current' });
  }

  #resource(resource: ServedResource, pace: Pace): string {
    const known = this.#resources.get(resource);
    if (known !== undefined) return known;
    pace.spend(STEPS_OF_A_RESOURCE);
    const text = jsonText(aggregatedResource(resource, this.#names));
    this.#resources.set(resource, text);
    return text;
  }
}

/** The JSON of an object with the fields of `before`, a list of texts, and the fields of `after`. */
function withList(before: object, field: string, texts: readonly string[], after: object = {}): string {
  const end = jsonText(after).slice(1);
  return `${jsonText(before).slice(0, -1)},"${field}":[${texts.join(',')}]${end === '}' ? end : `,${end}`}`;
}

function aggregatedResource(resource: ServedResource, names: Names): object {
  const { type, group, version, groupKey } = resource;
  // Built-in kinds have empty names where clients take those of the path, custom kinds have full ones.
  const path = isCustomGroup(groupKey) ? { group, version } : { group: '', version: '' };
  const subresources = servedSubresources(resource).map((subresource) => ({
    subresource: subresource.name,
    responseKind: {
      ...path,
      ...namedVersion(resource, subresource, names),
      kind: subresource.kind.kind,
    },
    verbs: subresource.verbs,
  }));
  return {
    resource: type.resource,
    responseKind: { ...path, kind: type.kind },
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}
