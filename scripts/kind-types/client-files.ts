import { auxiliaryKinds, builtinTypes, type KindVersion, type ResourceType } from '@orch/apis';
import type { StructSchema } from '@orch/schema';
import { banner, groupFiles } from './group-files.ts';
import { namedType } from './type-writer.ts';

const LINE_WIDTH = 110;

/** One resource in one version that clients may ask for. */
interface ServedVersion {
  /** Group key, `core` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly schema: StructSchema;
}

const servedVersionsOf = (type: ResourceType): readonly ServedVersion[] =>
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
  const resources = builtinTypes.flatMap(servedVersionsOf).filter(({ schema }) => hasMetadata(schema));
  const bodies = auxiliaryKinds.map(({ schema }) => schema).filter(hasMetadata);
  const groups = groupFiles([...resources.map(({ schema }) => schema), ...bodies], 'client');
  const files = new Map([...groups].map(([group, file]) => [`${group}.ts`, file.text()]));
  files.set('kinds.ts', kindsFile([...groups.keys()]));
  files.set('builtin-resources.ts', resourcesFile(resources));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A kind without metadata exists only as the body of a subresource. */
const hasMetadata = ({ fields }: StructSchema): boolean => fields.some(({ name }) => name === 'metadata');

/** The file that names all groups: `kinds.apps.Deployment`. */
const kindsFile = (groups: readonly string[]): string =>
  `${banner}\n${[...groups]
    .sort()
    .map((group) => `export type * as ${group} from './${group}.ts';\n`)
    .join('')}`;

function resourcesFile(resources: readonly ServedVersion[]): string {
  const groups = Map.groupBy(resources, ({ group }) => group);
  const types = [...new Set(resources.map(({ schema }) => namedType(schema.name).group))].sort();
  const body = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, own]) => `    ${group}: {\n${versionsText(own)}    },\n`)
    .join('');
  return `${banner}
import type { Names } from '@orch/machinery';
import { resourceMakers } from '../rest/resource-makers.ts';
${types.map((group) => `import type * as ${group} from './${group}.ts';\n`).join('')}
/** Every built-in resource by group, version and plural, under the names of one naming. */
export const builtinResources = (names: Names) => {
  const { namespaced, cluster } = resourceMakers(names);
  return {
${body}  };
};
`;
}

const versionsText = (resources: readonly ServedVersion[]): string =>
  [...Map.groupBy(resources, ({ version }) => version)]
    .map(([version, own]) => `      ${version}: {\n${own.map(resourceText).join('')}      },\n`)
    .join('');

function resourceText({ group, version, resource, kind, namespaced, schema }: ServedVersion): string {
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
