import { type ApiObject, isJsonObject, jsonEquals, parseJson } from '@orch/machinery';
import { ensureOwn, findResource } from '../bootstrap/own-object.ts';
import type { RegistryContext } from '../registry/resource/registry-context.ts';
import { objectKey } from '../registry/resource/store-keys.ts';

/** Data of a config map. */
export type ConfigData = Readonly<Record<string, string>>;

/** A config map in the namespace of the system that every replica keeps as it should be. */
export interface SystemConfigMap {
  readonly name: string;
  /** What its data should be, given what it is; called again when it has changed meanwhile. */
  readonly wanted: (present: ConfigData) => ConfigData;
}

/** Writes the config map, where it is not right already. */
export async function keepSystemConfigMap(
  context: RegistryContext,
  { name, wanted }: SystemConfigMap,
  signal: AbortSignal,
): Promise<void> {
  const resource = findResource(context, '', 'configmaps');
  if (resource === undefined) return;
  const own = { resource, namespace: context.names.namespaces.system, name };
  const present = resource.cache.get(objectKey(true, own.namespace, name));
  if (present !== undefined && !present.corrupt) {
    const data = dataOf(parseJson(present.json()) as ApiObject);
    if (jsonEquals(data, wanted(data))) return;
  }
  await ensureOwn(
    context,
    own,
    {
      fresh: { kind: 'ConfigMap', apiVersion: 'v1', metadata: {}, data: wanted({}) },
      change: (object) => {
        object['data'] = wanted(dataOf(object));
      },
    },
    signal,
  );
}

function dataOf(object: ApiObject): ConfigData {
  const { data } = object;
  if (!isJsonObject(data)) return {};
  return Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
