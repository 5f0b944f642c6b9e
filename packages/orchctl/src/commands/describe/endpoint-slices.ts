import type { kinds } from '@orch/client';
import { type DescribeContext, listAll } from './describer.ts';
import { hostAndPort } from './text/values.ts';

type Slice = kinds.discovery.EndpointSlice;

/** At most this many addresses are shown. */
const MAX_SHOWN = 3;

/** The endpoint slices of a service. */
export const slicesOf = (name: string, context: DescribeContext): Promise<readonly Slice[]> =>
  listAll(context.typed.discovery.v1.endpointslices, context, {
    labelSelector: `${context.names.labels.serviceName}=${name}`,
  });

/** The addresses behind a port of a service: `10.0.0.1:80,10.0.0.2:80 + 3 more...`. */
export function endpointsText(slices: readonly Slice[], portName: string): string {
  if (slices.length === 0) return '<none>';
  const all = slices.flatMap((slice) => addressesOf(slice, portName));
  const shown = all.slice(0, MAX_SHOWN).join(',');
  return all.length > MAX_SHOWN ? `${shown} + ${all.length - MAX_SHOWN} more...` : shown;
}

function addressesOf({ endpoints, ports }: Slice, portName: string): readonly string[] {
  const ready = (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .map(({ addresses }) => addresses[0] ?? '');
  // A headless service may have no ports.
  if (ports === null || ports === undefined || ports.length === 0) return ready;
  return ports
    .filter(({ name = '' }) => name === portName)
    .flatMap(({ port }) => ready.map((address) => hostAndPort(address, port ?? 0)));
}
