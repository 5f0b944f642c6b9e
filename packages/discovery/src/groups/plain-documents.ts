import type { Release } from '@orch/apis';
import type { Names } from '@orch/machinery';
import {
  apiVersionsDocument,
  groupDocument,
  groupListDocument,
  resourceListDocument,
  type ServerAddress,
} from './documents.ts';
import type { ServedGroup, ServedGroups } from './served-groups.ts';

export interface PlainDocumentsOptions {
  readonly names: Names;
  readonly release: Release;
  readonly addresses?: ServerAddress;
}

/** Documents of one group by path, or of the list of groups. */
type Documents = ReadonlyMap<string, Buffer>;

/** Discovery with one document per group version (spec 4.1). Documents of groups that did not change are kept. */
export class PlainDocuments {
  readonly #groups: ServedGroups;
  readonly #options: PlainDocumentsOptions;
  readonly #byGroup = new WeakMap<ServedGroup, Documents>();
  readonly #lists = new WeakMap<readonly ServedGroup[], Documents>();

  constructor(groups: ServedGroups, options: PlainDocumentsOptions) {
    this.#groups = groups;
    this.#options = options;
  }

  /** Paths of all documents: `/api`, `/apis/apps/v1`. */
  get paths(): readonly string[] {
    const { all } = this.#groups;
    return [...this.#listsOf(all).keys(), ...all.flatMap((group) => [...this.#documentsOf(group).keys()])];
  }

  /** The document of a path; undefined when nothing is served there. */
  find(path: string): Buffer | undefined {
    const [, root, name] = path.split('/');
    const list = root === 'api' ? path === '/api' : name === undefined;
    if (list) return this.#listsOf(this.#groups.all).get(path);
    const group = this.#groups.find(root === 'api' ? '' : (name ?? ''));
    return group === undefined ? undefined : this.#documentsOf(group).get(path);
  }

  #listsOf(all: readonly ServedGroup[]): Documents {
    return cached(this.#lists, all, () => {
      const core = all.find(({ name }) => name === '');
      return new Map([
        ['/api', apiVersionsDocument(core, this.#options.addresses ?? [])],
        ['/apis', groupListDocument(all.filter(({ name }) => name !== ''))],
      ]);
    });
  }

  #documentsOf(group: ServedGroup): Documents {
    return cached(this.#byGroup, group, () => {
      const { names, release } = this.#options;
      const base = group.name === '' ? '/api' : `/apis/${group.name}`;
      const documents = new Map<string, Buffer>();
      if (group.name !== '') documents.set(base, groupDocument(group));
      for (const version of group.versions) {
        documents.set(`${base}/${version.version}`, resourceListDocument(version, names, release));
      }
      return documents;
    });
  }
}

function cached<K extends object, V>(known: WeakMap<K, V>, key: K, make: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}
