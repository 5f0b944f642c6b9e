import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { builtinTypes, findTypeOfKind } from '@orch/apis';
import { PatchError, StrategicMerge } from '@orch/apply';
import { messageOf, type Names } from '@orch/machinery';
import { asObject, isJsonObject, type JsonObject } from '@orch/machinery/json';
import { parseYaml, YamlSyntaxError } from '@orch/machinery/yaml';
import { UsageError } from '@orch/program/flags';

/** Fields that identify the container or are set by flags. */
const refused = ['name', 'command', 'image', 'lifecycle', 'volumeDevices'];

/** The partial container in a file. Throws a `UsageError` for other content. */
export function readCustomProfile(file: string, folder: string): JsonObject | undefined {
  if (file === '') return undefined;
  const profile = parsedFile(file, folder);
  if (!isJsonObject(profile)) throw new UsageError(`${file} must have a partial container`);
  const given = refused.filter((name) => profile[name] !== undefined);
  if (given.length > 0)
    throw new UsageError(
      `${file} has ${given.join(', ')}: ${refused.join(', ')} are not modifiable via custom profile`,
    );
  return profile;
}

function parsedFile(file: string, folder: string): unknown {
  try {
    return parseYaml(readFileSync(resolve(folder, file)));
  } catch (error) {
    const problem = error instanceof YamlSyntaxError ? 'is not valid' : 'cannot be read';
    throw new UsageError(`${file} ${problem}: ${messageOf(error)}`);
  }
}

/** A container with the fields of a custom profile, merged as a strategic merge patch of its pod. */
export function customized<C extends { readonly name: string }>(
  container: C,
  profile: JsonObject | undefined,
  names: Names,
): C {
  const schema = findTypeOfKind('', 'v1', 'Pod', builtinTypes)?.versions.find(
    ({ version }) => version === 'v1',
  )?.schema;
  if (profile === undefined || schema === undefined) return container;
  try {
    const patch = { spec: { containers: [{ ...profile, name: container.name }] } };
    const merged = new StrategicMerge(names).apply({ spec: { containers: [container] } }, patch, schema);
    const { containers } = asObject(asObject(merged)['spec']) as { readonly containers: readonly C[] };
    return containers[0] ?? container;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw new UsageError(`the custom profile cannot be applied: ${error.message}`);
  }
}
