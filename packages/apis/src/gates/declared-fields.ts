import { atLeast, type GatedPart, isPast, type Release } from '../lifecycle.ts';
import { gateAt } from './feature-gates.ts';

/**
 * The fields of schemas that a release declares: those that it serves, and those behind a disabled feature gate of the
 * release. The latter are dropped from requests, but are not unknown.
 */
export const fieldDeclaredIn =
  <F extends GatedPart>(release: Release, serves: (field: F) => boolean): ((field: F) => boolean) =>
  (field) =>
    serves(field) || isBehindGate(field, release);

function isBehindGate(field: GatedPart, release: Release): boolean {
  const { gate, gatedSince } = field;
  if (gate === undefined || isPast(field, release)) return false;
  return atLeast(release, gatedSince) && gateAt(gate, release) !== undefined;
}
