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
  files.set('builtin-resources.ts', treeFile(resources));
  files.set('resources.ts', resourcesFile(resources));
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

/** `apps`, `v1`, `Deployment` → `appsV1Deployment`: the function of one resource. */
const functionName = ({ group, version, kind }: ServedVersion): string =>
  `${group}${version.replace(/^v/, 'V')}${kind}`;

const byName = (a: ServedVersion, b: ServedVersion): number => (functionName(a) < functionName(b) ? -1 : 1);

/** The file with a function for each resource, of which a bundler keeps those that a program uses. */
function resourcesFile(resources: readonly ServedVersion[]): string {
  const types = [...new Set(resources.map(({ schema }) => namedType(schema.name).group))].sort();
  return `${banner}
import type { Names } from '@orch/machinery';
import { clusterResource, namespacedResource } from '../resources/builtin-resource.ts';
import type { TypedResource } from '../resources/typed-resource.ts';
${types.map((group) => `import type * as ${group} from './${group}.ts';\n`).join('')}
${[...resources].sort(byName).map(functionText).join('\n')}`;
}

function functionText(served: ServedVersion): string {
  const { group, kind, namespaced, resource, schema, version } = served;
  const type = namedType(schema.name);
  const doc = `/** The resource ${resource} of ${group}/${version}, under the names of one naming. */\n`;
  const result = `): TypedResource<${type.group}.${type.name}> =>`;
  const start = `export const ${functionName(served)} = (`;
  const args = ['names', `'${group}/${version}/${resource}'`, `'${kind}'`];
  const call = namespaced ? 'namespacedResource(' : 'clusterResource(';
  const body = `${call}${args.join(', ')});`;
  // As the formatter breaks lines that are too long.
  const isHeadLong = `${start}names: Names${result}`.length > LINE_WIDTH;
  const head = isHeadLong ? `${start}\n  names: Names,\n${result}` : `${start}names: Names${result}`;
  if (!isHeadLong && `${head} ${body}`.length <= LINE_WIDTH) return `${doc}${head} ${body}\n`;
  if (body.length + 2 <= LINE_WIDTH) return `${doc}${head}\n  ${body}\n`;
  return `${doc}${head}\n  ${call}\n${args.map((arg) => `    ${arg},\n`).join('')}  );\n`;
}

/** The file with all resources as a tree. */
function treeFile(resources: readonly ServedVersion[]): string {
  const groups = Map.groupBy(resources, ({ group }) => group);
  const body = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, own]) => `    ${group}: () => ({\n${versionsText(own)}    }),\n`)
    .join('');
  return `${banner}
import type { Names } from '@orch/machinery';
import { lazyMembers } from '../lazy/lazy-members.ts';
import * as resources from './resources.ts';

/** Every built-in resource by group, version and plural, under the names of one naming. */
export const builtinResources = (names: Names) =>
  lazyMembers({
${body}  });
`;
}

const versionsText = (resources: readonly ServedVersion[]): string =>
  [...Map.groupBy(resources, ({ version }) => version)]
    .map(([version, own]) => `      ${version}: {\n${own.map(resourceText).join('')}      },\n`)
    .join('');

function resourceText(served: ServedVersion): string {
  const [name, call] = [`        ${served.resource}:`, `resources.${functionName(served)}(names),`];
  const line = `${name} ${call}`;
  return line.length <= LINE_WIDTH ? `${line}\n` : `${name}\n          ${call}\n`;
}
