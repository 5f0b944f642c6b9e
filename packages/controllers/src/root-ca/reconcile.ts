import { type ApiObject, jsonEquals, type Names } from '@orch/machinery';

/** The key under which certificates stand in config maps and secrets. */
export const certificateKey = 'ca.crt';

/**
 * The config map with the authorities of the API server that a namespace should have; undefined when it has it. Other
 * data does not belong there; labels and annotations of others do.
 */
export function wantedConfigMap(
  namespace: string,
  rootCa: string,
  { names, current }: { readonly names: Names; readonly current: ApiObject | undefined },
): ApiObject | undefined {
  const data = { [certificateKey]: rootCa };
  if (current === undefined)
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: names.objects.rootCa, namespace },
      data,
    };
  if (jsonEquals(current['data'], data) && current['binaryData'] === undefined) return undefined;
  const { binaryData: _other, ...rest } = current;
  return { ...rest, metadata: current.metadata, data };
}
