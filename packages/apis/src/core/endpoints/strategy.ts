import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { type FieldError, fieldError } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';

const addressKey = (address: EndpointAddress): string =>
  `${address.ip ?? ''}\n${address.targetRef?.uid ?? ''}`;

const portKey = (port: EndpointPort): string =>
  `${port.name ?? ''}\n${port.protocol ?? ''}\n${String(port.port ?? 0).padStart(5, '0')}\n${port.appProtocol ?? ''}`;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface Offer {
  readonly port: EndpointPort | undefined;
  /** Address key → the address, and whether it is ready there. */
  readonly addresses: Map<string, { readonly address: EndpointAddress; readonly ready: boolean }>;
}

function note(offer: Offer, addresses: readonly EndpointAddress[] | undefined, ready: boolean): void {
  for (const address of addresses ?? []) {
    const key = addressKey(address);
    const known = offer.addresses.get(key);
    // An address that is not ready in one place is not ready.
    offer.addresses.set(key, { address: known?.address ?? address, ready: ready && known?.ready !== false });
  }
}

/** The addresses that offer each port; a subset without ports offers none, but its addresses are kept. */
function offersOf(subsets: readonly EndpointSubset[]): readonly Offer[] {
  const offers = new Map<string, Offer>();
  for (const subset of subsets) {
    const ports = subset.ports ?? [];
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const key = port === undefined ? '' : portKey(port);
      const offer = offers.get(key) ?? { port, addresses: new Map() };
      offers.set(key, offer);
      note(offer, subset.addresses, true);
      note(offer, subset.notReadyAddresses, false);
    }
  }
  return [...offers].sort(([a], [b]) => byText(a, b)).map(([, offer]) => offer);
}

const signature = (offer: Offer): string =>
  [...offer.addresses]
    .map(([key, { ready }]) => `${key}\n${ready}`)
    .sort(byText)
    .join('\n\n');

function subsetOf(addresses: Offer['addresses'], ports: readonly EndpointPort[]): Draft<EndpointSubset> {
  const sorted = [...addresses].sort(([a], [b]) => byText(a, b)).map(([, entry]) => entry);
  const ready = sorted.filter((entry) => entry.ready).map((entry) => entry.address);
  const notReady = sorted.filter((entry) => !entry.ready).map((entry) => entry.address);
  return {
    ...(ready.length > 0 ? { addresses: ready } : {}),
    ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
    ...(ports.length > 0 ? { ports } : {}),
  };
}

/**
 * The canonical form of endpoints: addresses that offer the same ports are in one subset, everything is sorted. Two
 * writers with the same view therefore write the same object.
 */
export function repackSubsets(subsets: readonly EndpointSubset[]): Draft<EndpointSubset>[] {
  const groups = new Map<
    string,
    { readonly addresses: Offer['addresses']; readonly ports: EndpointPort[] }
  >();
  for (const offer of offersOf(subsets)) {
    const key = signature(offer);
    const group = groups.get(key) ?? { addresses: offer.addresses, ports: [] };
    groups.set(key, group);
    if (offer.port !== undefined) group.ports.push(offer.port);
  }
  return [...groups]
    .sort(([a], [b]) => byText(a, b))
    .map(([, { addresses, ports }]) => subsetOf(addresses, ports));
}

function canonicalize(next: Draft<Endpoints>): void {
  const subsets = next.subsets ?? [];
  if (subsets.length > 0) next.subsets = repackSubsets(subsets);
}

/** Checks that subsets have addresses, and names for their ports when there are several. */
const validateEndpoints = (next: Endpoints): readonly FieldError[] =>
  (next.subsets ?? []).flatMap((subset, i) => checkSubset(`subsets[${i}]`, subset));

function checkSubset(path: string, subset: EndpointSubset): readonly FieldError[] {
  const ports = subset.ports ?? [];
  const serving = (subset.addresses ?? []).length + (subset.notReadyAddresses ?? []).length;
  const errors: FieldError[] = [];
  if (serving === 0)
    errors.push(fieldError.required(path, 'must specify `addresses` or `notReadyAddresses`'));
  ports.forEach((port, i) => {
    if (ports.length > 1 && (port.name ?? '') === '')
      errors.push(fieldError.required(`${path}.ports[${i}].name`));
  });
  return errors;
}

export const endpointsStrategy: Strategy<Endpoints> = strategyOf({
  createOnUpdate: true,
  validate: validateEndpoints,
  canonicalize,
});
