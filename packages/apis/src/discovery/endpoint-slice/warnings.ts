import type { EndpointSlice } from '@orch/kinds/discovery';
import { addressWarnings } from '../../address-warnings.ts';
import type { WarningContext } from '../../content-warning.ts';

/** Warns of the addresses of a slice, which the controller of slices writes in one form. */
export function endpointSliceWarnings(
  { metadata, addressType, endpoints = [] }: EndpointSlice,
  old: EndpointSlice | undefined,
  { names, since }: WarningContext,
): readonly string[] {
  const isOurs = metadata.labels?.[names.labels.endpointSliceManagedBy] === names.controllers.endpointSlice;
  return [
    ...(addressType === 'FQDN' && old === undefined && since('1.27')
      ? ['spec.addressType: FQDN endpoints are deprecated']
      : []),
    ...(isOurs || !since('1.33') ? [] : (endpoints ?? [])).flatMap(({ addresses }, i) =>
      (addresses ?? []).flatMap((ip, j) => addressWarnings(`endpoints[${i}].addresses[${j}]`, ip, since)),
    ),
  ];
}
