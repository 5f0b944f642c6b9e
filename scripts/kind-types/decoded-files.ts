import { auxiliaryKinds, builtinTypes } from '@orch/apis';
import { banner, groupFiles } from './group-files.ts';
import { namedType } from './type-writer.ts';

/** The files of the types of decoded objects by name, each with its whole text. */
export function decodedTypeFiles(): ReadonlyMap<string, string> {
  const resources = builtinTypes.flatMap(({ versions }) => versions.map(({ schema }) => schema));
  const groups = groupFiles([...resources, ...auxiliaryKinds.map(({ schema }) => schema)], 'decoded');
  const files = new Map([...groups].map(([group, file]) => [`${group}.ts`, file.text()]));
  return files.set('hub-object.ts', hubFile());
}

/** The file that names the type of each stored resource in its hub version. */
function hubFile(): string {
  // Of two kinds that one resource has had, the later one counts.
  const hubs = new Map(
    builtinTypes.flatMap(({ group, resource, versions: [hub] }) =>
      hub === undefined ? [] : [[`${resource}${group && `.${group}`}`, namedType(hub.schema.name)] as const],
    ),
  );
  const groups = [...new Set([...hubs.values()].map(({ group }) => group))].sort();
  const fields = [...hubs].map(([name, type]) => {
    const key = name.includes('.') ? `'${name}'` : name;
    return `  readonly ${key}: ${type.group}.${type.name};\n`;
  });
  return `${banner}
import type { ApiObject } from '@orch/machinery';
${groups.map((group) => `import type * as ${group} from './${group}.ts';\n`).join('')}
/** The types of stored objects in the hub version, by resource and key of the group. */
export type HubObjects = {
${fields.sort().join('')}};

/** An object of a resource in the hub version; of any kind where the resource is not known before run time. */
export type HubObject<Resource extends string> = Resource extends keyof HubObjects
  ? HubObjects[Resource]
  : ApiObject;
`;
}
