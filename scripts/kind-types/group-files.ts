import type { StructSchema, UnionSchema } from '@orch/schema';
import { type Audience, namedType, TypeWriter } from './type-writer.ts';

export const banner =
  '// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.\n';

/** The types of one group as they are collected. */
export class GroupFile {
  readonly #writer: TypeWriter;
  readonly #declarations = new Map<string, string>();

  constructor(group: string, audience: Audience) {
    this.#writer = new TypeWriter(group, audience);
  }

  /** Returns the further types that must be declared in some file. */
  add(schema: StructSchema | UnionSchema): readonly (StructSchema | UnionSchema)[] {
    const { name } = namedType(schema.name);
    if (this.#declarations.has(name)) return [];
    this.#declarations.set(name, '');
    this.#declarations.set(name, this.#writer.declaration(schema));
    return this.#writer.needed.splice(0);
  }

  text(): string {
    const { groups, hasKeyedLists, machinery } = this.#writer;
    const imports = [
      ...machineryImports(machinery),
      ...(hasKeyedLists ? ["import type { KeyedList } from '../resources/keyed-list.ts';"] : []),
      ...[...groups].sort().map((group) => `import type * as ${group} from './${group}.ts';`),
    ];
    const declarations = [...this.#declarations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    return [banner, ...(imports.length === 0 ? [] : [`${imports.join('\n')}\n`]), ...declarations].join('\n');
  }
}

/** Machinery exports its exact numbers beside its JSON, and the other types from its index. */
function machineryImports(names: ReadonlySet<string>): readonly string[] {
  const ofJson = [...names].filter((name) => name === 'ExactNumber');
  const others = [...names].filter((name) => name !== 'ExactNumber').sort();
  return [
    ...(others.length === 0 ? [] : [`import type { ${others.join(', ')} } from '@orch/machinery';`]),
    ...(ofJson.length === 0 ? [] : [`import type { ${ofJson.join(', ')} } from '@orch/machinery/json';`]),
  ];
}

/** The types of `roots` and of all that they contain, one file a group. */
export function groupFiles(
  roots: readonly (StructSchema | UnionSchema)[],
  audience: Audience,
): ReadonlyMap<string, GroupFile> {
  const groups = new Map<string, GroupFile>();
  const open = [...roots];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    const { group } = namedType(schema.name);
    const file = groups.get(group) ?? new GroupFile(group, audience);
    groups.set(group, file);
    open.push(...file.add(schema));
  }
  return groups;
}
