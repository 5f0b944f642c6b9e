import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { errors, type FieldError, fieldError } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy, StrategyContext } from '../../resource-type.ts';
import { endpointsWarnings } from './warnings.ts';

const addressKey = (address: EndpointAddress): string =>
  `${address.ip ?? ''}\n${address.targetRef?.uid ?? ''}`;

const portKey = (port: EndpointPort): string =>
  `${port.name ?? ''}\n${port.protocol ?? ''}\n${String(port.port ?? 0).padStart(5, '0')}\n${port.appProtocol ?? ''}`;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Address key → the address, and whether it is ready there. */
type Addresses = Map<string, { readonly address: EndpointAddress; readonly ready: boolean }>;

/** A port, and the positions of the subsets that offer it. */
interface Offer {
  /** By which ports are ordered. */
  readonly key: string;
  readonly port: EndpointPort | undefined;
  readonly subsets: number[];
}

/** The ports; a subset without ports offers none, but its addresses are kept. */
function offersOf(subsets: readonly EndpointSubset[]): readonly Offer[] {
  const offers = new Map<string, Offer>();
  for (const [position, { ports = [] }] of subsets.entries()) {
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const key = port === undefined ? '' : portKey(port);
      const offer = offers.get(key) ?? { key, port, subsets: [] };
      offers.set(key, offer);
      if (offer.subsets.at(-1) !== position) offer.subsets.push(position);
    }
  }
  return [...offers.values()];
}

/**
 * Addresses that all groups together may have. More are never stored, because of their size, but a request can ask for the
 * product of its ports and its addresses.
 */
const MAX_GROUPED_ADDRESSES = 200_000;

/** Collects the addresses of groups of ports, of a bounded number. */
class AddressGroups {
  readonly #subsets: readonly EndpointSubset[];
  #left = MAX_GROUPED_ADDRESSES;

  constructor(subsets: readonly EndpointSubset[]) {
    this.#subsets = subsets;
  }

  of(positions: readonly number[]): Addresses {
    const found: Addresses = new Map();
    for (const position of positions) {
      this.#note(found, this.#subsets[position]?.addresses, true);
      this.#note(found, this.#subsets[position]?.notReadyAddresses, false);
    }
    return found;
  }

  #note(found: Addresses, addresses: readonly EndpointAddress[] = [], ready: boolean): void {
    this.#left -= addresses.length;
    if (this.#left < 0) throw errors.objectTooLarge('the subsets have too many addresses for their ports');
    for (const address of addresses) {
      const key = addressKey(address);
      const known = found.get(key);
      // An address that is not ready in one place is not ready.
      found.set(key, { address: known?.address ?? address, ready: ready && known?.ready !== false });
    }
  }
}

const signature = (addresses: Addresses): string =>
  [...addresses]
    .map(([key, { ready }]) => `${key}\n${ready}`)
    .sort(byText)
    .join('\n\n');

function subsetOf(addresses: Addresses, ports: readonly EndpointPort[]): Draft<EndpointSubset> {
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
  const groups = new Map<string, { readonly addresses: Addresses; readonly offers: Offer[] }>();
  const collected = new AddressGroups(subsets);
  // Ports of the same subsets have the same addresses, which are collected once.
  const alike = Map.groupBy(offersOf(subsets), (offer) => offer.subsets.join());
  for (const [first, ...others] of alike.values()) {
    if (first === undefined) continue;
    const addresses = collected.of(first.subsets);
    const key = signature(addresses);
    const group = groups.get(key) ?? { addresses, offers: [] };
    groups.set(key, group);
    for (const offer of [first, ...others]) group.offers.push(offer);
  }
  return [...groups]
    .sort(([a], [b]) => byText(a, b))
    .map(([, { addresses, offers }]) => subsetOf(addresses, portsOf(offers)));
}

const portsOf = (offers: readonly Offer[]): readonly EndpointPort[] =>
  offers.toSorted((a, b) => byText(a.key, b.key)).flatMap(({ port }) => (port === undefined ? [] : [port]));

/** From 1.28 on subsets are stored as they are sent. */
function canonicalize(next: Draft<Endpoints>, { since }: Pick<StrategyContext, 'since'>): void {
  if (since('1.28')) return;
  const subsets = next.subsets ?? [];
  if (subsets.length > 0) next.subsets = repackSubsets(subsets);
}

/** Checks that subsets have addresses, and names for their ports when there are several. */
const validateEndpoints = (next: Endpoints): readonly FieldError[] =>
  (next.subsets ?? []).flatMap((subset, i) => checkSubset(`subsets[${i}]`, subset));

function checkSubset(path: string, subset: EndpointSubset): readonly FieldError[] {
  const ports = subset.ports ?? [];
  const serving = (subset.addresses ?? []).length + (subset.notReadyAddresses ?? []).length;
  const found: FieldError[] = [];
  if (serving === 0) found.push(fieldError.required(path, 'must specify `addresses` or `notReadyAddresses`'));
  ports.forEach((port, i) => {
    if (ports.length > 1 && (port.name ?? '') === '')
      found.push(fieldError.required(`${path}.ports[${i}].name`));
  });
  return found;
}

export const endpointsStrategy: Strategy<Endpoints> = strategyOf({
  createOnUpdate: true,
  validate: validateEndpoints,
  warnings: endpointsWarnings,
  canonicalize,
});
