import type { ApiObject } from '@orch/machinery';
import { isJsonObject, jsonEquals } from '@orch/machinery/json';
import type { ServerContext } from '@orch/registry';

/** Data of a config map. */
export type ConfigData = Readonly<Record<string, string>>;

/** A config map in the system namespace that every replica reconciles. */
export interface SystemConfigMap {
  readonly name: string;
  /** The desired data, given the stored data; called again when the stored data has changed. */
  readonly wanted: (present: ConfigData) => ConfigData;
}

/** Creates or updates the config map if its data is not as desired. */
export async function keepSystemConfigMap(
  { objects, names }: ServerContext,
  { name, wanted }: SystemConfigMap,
  signal: AbortSignal,
): Promise<void> {
  const configMaps = objects.resource('', 'configmaps');
  if (configMaps === undefined) return;
  const own = { namespace: names.namespaces.system, name };
  const present = configMaps.cached(own);
  if (present !== undefined) {
    const data = dataOf(present);
    if (jsonEquals(data, wanted(data))) return;
  }
  await configMaps.ensure(
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
