import { canonicalResourceQuantity } from '@orch/machinery';
import type { Derive } from '@orch/schema';
import { asObject } from '../../../read.ts';

/** Only amounts with a fraction, an exponent or one of the two smallest suffixes can be finer than thousandths. */
const mayBeFiner = /[.eEnu]/;

function roundMap(map: Record<string, unknown>): boolean {
  let changed = false;
  for (const [name, amount] of Object.entries(map)) {
    if (typeof amount !== 'string' || !mayBeFiner.test(amount)) continue;
    const rounded = canonicalResourceQuantity(amount);
    if (rounded === amount) continue;
    map[name] = rounded;
    changed = true;
  }
  return changed;
}

/** Rounds the amounts of these resource maps up to thousandths, as all resource lists are. */
export const roundResourceLists =
  (...members: readonly string[]): Derive =>
  (struct) => {
    let changed = false;
    for (const member of members) {
      if (struct[member] !== undefined) {
        changed = roundMap(asObject(struct[member]) as Record<string, unknown>) || changed;
      }
    }
    return changed;
  };

/** One derivation after the other. */
export const inTurn =
  (...derives: readonly Derive[]): Derive =>
  (struct, names) => {
    let changed = false;
    for (const derive of derives) changed = derive(struct, names) || changed;
    return changed;
  };
