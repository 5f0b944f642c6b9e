import type { Release } from '@orch/apis';
import type { Names } from '@orch/machinery';
import {
  apiVersionsDocument,
  groupDocument,
  groupListDocument,
  resourceListDocument,
  type ServerAddress,
} from './documents.ts';
import { isExtension, type ListedGroup, type ListedGroups } from './listed-groups.ts';

export interface PlainDocumentsOptions {
  readonly names: Names;
  readonly release: Release;
  readonly addresses?: ServerAddress;
}

/** Documents of one group by path, or of the list of groups. */
type Documents = ReadonlyMap<string, Buffer>;

/** Discovery with one document per group version (spec 4.1). Documents of groups that did not change are kept. */
export class PlainDocuments {
  readonly #groups: ListedGroups;
  readonly #options: PlainDocumentsOptions;
  readonly #byGroup = new WeakMap<ListedGroup, Documents>();
  readonly #lists = new WeakMap<readonly ListedGroup[], Documents>();

  constructor(groups: ListedGroups, options: PlainDocumentsOptions) {
    this.#groups = groups;
    this.#options = options;
  }

  /** Paths of all documents: `/api`, `/apis/apps/v1`. */
  get paths(): readonly string[] {
    const { all } = this.#groups;
    return [...this.#listsOf(all).keys(), ...all.flatMap(pathsOf)];
  }

  /** The document of a path; undefined when nothing is served there. */
  find(path: string): Buffer | undefined {
    const [, root, name] = path.split('/');
    const list = root === 'api' ? path === '/api' : name === undefined;
    if (list) return this.#listsOf(this.#groups.all).get(path);
    const group = this.#groups.find(root === 'api' ? '' : (name ?? ''));
    return group === undefined ? undefined : this.#documentsOf(group).get(path);
  }

  #listsOf(all: readonly ListedGroup[]): Documents {
    return cached(this.#lists, all, () => {
      const core = all.find(({ name }) => name === '');
      return new Map([
        ['/api', apiVersionsDocument(core, this.#options.addresses ?? [])],
        ['/apis', groupListDocument(all.filter(({ name }) => name !== ''))],
      ]);
    });
  }

  #documentsOf(group: ListedGroup): Documents {
    return cached(this.#byGroup, group, () => {
      const { names, release } = this.#options;
      const base = baseOf(group);
      const documents = new Map<string, Buffer>();
      if (group.name !== '') documents.set(base, groupDocument(group));
      for (const version of group.versions) {
        // Requests for group versions of extension API servers are proxied.
        if (isExtension(version)) continue;
        documents.set(`${base}/${version.version}`, resourceListDocument(version, names, release));
      }
      return documents;
    });
  }
}

const baseOf = ({ name }: ListedGroup): string => (name === '' ? '/api' : `/apis/${name}`);

const pathsOf = (group: ListedGroup): readonly string[] => [
  ...(group.name === '' ? [] : [baseOf(group)]),
  ...group.versions.map(({ version }) => `${baseOf(group)}/${version}`),
];

function cached<K extends object, V>(known: WeakMap<K, V>, key: K, make: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}
