import type { kinds } from '@orch/client';
import type { Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';

/** The key of the certificates in config maps and secrets. */
export const certificateKey = 'ca.crt';

/**
 * The config map with the certificate authorities of the API server that a namespace should have; undefined when it has
 * it. Other data is removed; labels and annotations are kept.
 */
export function wantedConfigMap(
  namespace: string,
  rootCa: string,
  { names, current }: { readonly names: Names; readonly current: kinds.core.ConfigMap | undefined },
): kinds.core.ConfigMap | undefined {
  const data = { [certificateKey]: rootCa };
  if (current === undefined)
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: names.objects.rootCa, namespace },
      data,
    };
  if (jsonEquals(current.data, data) && current.binaryData === undefined) return undefined;
  const { binaryData: _removed, ...rest } = current;
  return { ...rest, data };
}
