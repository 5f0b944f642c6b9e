import { auxiliaryKinds, builtinTypes, type KindVersion, type ResourceType } from '@orch/apis';
import type { StructSchema, UnionSchema } from '@orch/schema';
import { namedType, TypeWriter } from './type-text.ts';

const banner =
  '// Generated from the declarations of the built-in kinds by scripts/generate-client-types.ts: `make fix`.\n';

const LINE_WIDTH = 110;

/** One resource in one version that clients may ask for. */
interface Row {
  /** Group key, `core` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly schema: StructSchema;
}

const rowsOf = (type: ResourceType): readonly Row[] =>
  type.versions.map((version: KindVersion) => ({
    group: (version.group ?? type.group) || 'core',
    version: version.version,
    resource: type.resource,
    kind: version.differs?.kind ?? type.kind,
    namespaced: type.namespaced,
    schema: version.schema,
  }));

/** The files of the client's types by name, each with its whole text. */
export function clientTypeFiles(): ReadonlyMap<string, string> {
  const rows = builtinTypes.flatMap(rowsOf).filter(({ schema }) => hasMetadata(schema));
  const bodies = auxiliaryKinds.map(({ schema }) => schema).filter(hasMetadata);
  const groups = typesByGroup([...rows.map(({ schema }) => schema), ...bodies]);
  const files = new Map([...groups].map(([group, writing]) => [`${group}.ts`, writing.text()]));
  files.set('kinds.ts', kindsFile([...groups.keys()]));
  files.set('builtin-resources.ts', resourcesFile(rows));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A schema without metadata is not an object but a placeholder for subresources. */
const hasMetadata = ({ fields }: StructSchema): boolean => fields.some(({ name }) => name === 'metadata');

/** The types of one file as they come together. */
class Writing {
  readonly writer: TypeWriter;
  readonly #declarations = new Map<string, string>();

  constructor(group: string) {
    this.writer = new TypeWriter(group);
  }

  /** Answers what else must be declared somewhere. */
  add(schema: StructSchema | UnionSchema): readonly (StructSchema | UnionSchema)[] {
    const { name } = namedType(schema.name);
    if (this.#declarations.has(name)) return [];
    this.#declarations.set(name, '');
    this.#declarations.set(name, this.writer.declaration(schema));
    return this.writer.needed.splice(0);
  }

  text(): string {
    const groups = [...this.writer.groups].sort();
    const imports = [
      ...(this.writer.machinery.size === 0
        ? []
        : [`import type { ${[...this.writer.machinery].sort().join(', ')} } from '@orch/machinery';`]),
      ...groups.map((group) => `import type * as ${group} from './${group}.ts';`),
    ];
    const declarations = [...this.#declarations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    return [banner, ...(imports.length === 0 ? [] : [`${imports.join('\n')}\n`]), ...declarations].join('\n');
  }
}

function typesByGroup(roots: readonly (StructSchema | UnionSchema)[]): ReadonlyMap<string, Writing> {
  const groups = new Map<string, Writing>();
  const open = [...roots];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    const { group } = namedType(schema.name);
    const writing = groups.get(group) ?? new Writing(group);
    groups.set(group, writing);
    open.push(...writing.add(schema));
  }
  return groups;
}

/** All groups under one roof: `kinds.apps.Deployment`. */
const kindsFile = (groups: readonly string[]): string =>
  `${banner}\n${[...groups]
    .sort()
    .map((group) => `export type * as ${group} from './${group}.ts';\n`)
    .join('')}`;

function resourcesFile(rows: readonly Row[]): string {
  const groups = Map.groupBy(rows, ({ group }) => group);
  const types = [...new Set(rows.map(({ schema }) => namedType(schema.name).group))].sort();
  const body = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, own]) => `    ${group}: {\n${versionsText(own)}    },\n`)
    .join('');
  return `${banner}
import type { Names } from '@orch/machinery';
${types.map((group) => `import type * as ${group} from './${group}.ts';\n`).join('')}import { resourceMakers } from './typed-resource.ts';

/** Every built-in resource by group, version and plural, under the names of one naming. */
export const builtinResources = (names: Names) => {
  const { namespaced, cluster } = resourceMakers(names);
  return {
${body}  };
};
`;
}

const versionsText = (rows: readonly Row[]): string =>
  [...Map.groupBy(rows, ({ version }) => version)]
    .map(([version, own]) => `      ${version}: {\n${own.map(rowText).join('')}      },\n`)
    .join('');

function rowText({ group, version, resource, kind, namespaced, schema }: Row): string {
  const type = namedType(schema.name);
  const call = `${namespaced ? 'namespaced' : 'cluster'}<${type.group}.${type.name}>(`;
  const args = [`'${group}/${version}'`, `'${resource}'`, `'${kind}'`];
  const name = `        ${resource}:`;
  // As the formatter breaks lines that are too long.
  const line = `${name} ${call}${args.join(', ')}),`;
  if (line.length <= LINE_WIDTH) return `${line}\n`;
  const isLong = `${name} ${call}`.length > LINE_WIDTH;
  const indent = isLong ? '          ' : '        ';
  const head = isLong ? `${name}\n${indent}${call}` : `${name} ${call}`;
  return `${head}\n${args.map((arg) => `${indent}  ${arg},\n`).join('')}${indent}),\n`;
}
