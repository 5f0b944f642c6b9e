import { aliases } from './aliases.ts';
import { type DefinitionNames, definitionNames } from './definitions.ts';
import type { Row } from './rows.ts';
import { table } from './table.ts';

/** The two namings that a process can serve (`--naming`). */
export type Naming = 'orch' | 'kubernetes';

export const namings: readonly Naming[] = ['orch', 'kubernetes'];

type Resolved<T> = { readonly [K in keyof T]: T[K] extends Row ? string : Resolved<T[K]> };

/** The symbolic key of an API group: `core`, `apps`, `coordination`, `rbac`, … */
export type GroupKey = keyof typeof table.groups;

/** Lookups for names that occur as data. All but `group` pass unknown names through unchanged. */
export interface NameLookups extends DefinitionNames {
  readonly naming: Naming;
  /** Key → API group as served: `coordination` → `coordination.k8s.io`; `''` and `core` → `''`. Throws on an unknown key. */
  group(key: string): string;
  /** API group as served → key; `''` → `core`; undefined for a group that is not built in. */
  groupKey(apiGroup: string): GroupKey | undefined;
  /** `apiVersion` of a built-in group version: `core`, `v1` → `v1`; `apps`, `v1` → `apps/v1`. */
  apiVersion(groupKey: string, version: string): string;
  /** Canonical JSON field name → as served (`nodeagentVersion` → `kubeletVersion`). */
  field(canonical: string): string;
  /** JSON field name as served → canonical. */
  canonicalField(served: string): string;
  metric(canonical: string): string;
  featureGate(canonical: string): string;
  postStartHook(canonical: string): string;
  /** Flag name without the leading dashes. */
  flag(canonical: string): string;
}

/** All identifiers that contain the product name, for one naming. Frozen; build it once per process and pass it on. */
export type Names = Resolved<typeof table> & NameLookups;

interface Tree {
  readonly [key: string]: Row | Tree;
}

const isRow = (value: Row | Tree): value is Row => typeof value === 'string' || Array.isArray(value);

function resolve(tree: Tree, column: 0 | 1): object {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(tree)) {
    if (!isRow(value)) out[name] = resolve(value, column);
    else out[name] = typeof value === 'string' ? value : value[column];
  }
  return Object.freeze(out);
}

function lookup(
  rows: readonly (readonly [string, string])[],
  from: 0 | 1,
  to: 0 | 1,
): (name: string) => string {
  const map = new Map(rows.map((row) => [row[from], row[to]]));
  return (name) => map.get(name) ?? name;
}

/** The names of one naming: identifiers of the API differ between that of this product and that of the ecosystem. */
export function namesFor(naming: Naming): Names {
  const column = naming === 'orch' ? 0 : 1;
  const plain = resolve(table, column) as Resolved<typeof table>;
  const groups = new Map<string, string>(Object.entries(plain.groups));
  const keys = new Map([...groups].map(([key, group]) => [group, key as GroupKey]));
  const group = (key: string): string => {
    // No key has a dot: it is the name of the API group of custom resources.
    const found = key === '' || key.includes('.') ? key : groups.get(key);
    if (found === undefined) throw new TypeError(`unknown API group key ${JSON.stringify(key)}`);
    return found;
  };
  const lookups: NameLookups = {
    naming,
    group,
    groupKey: (apiGroup) => keys.get(apiGroup),
    apiVersion(key, version) {
      const apiGroup = group(key);
      return apiGroup === '' ? version : `${apiGroup}/${version}`;
    },
    field: lookup(aliases.fields, 0, column),
    canonicalField: lookup(aliases.fields, column, 0),
    metric: lookup(aliases.metrics, 0, column),
    featureGate: lookup(aliases.featureGates, 0, column),
    postStartHook: lookup(aliases.postStartHooks, 0, column),
    flag: lookup(aliases.flags, 0, column),
    ...definitionNames(column),
  };
  return Object.freeze({ ...plain, ...lookups });
}

/** Begins every Protobuf body and stored Protobuf value, under both namings (spec 2.7). */
export const protobufMagic: readonly number[] = [0x6b, 0x38, 0x73, 0x00];
