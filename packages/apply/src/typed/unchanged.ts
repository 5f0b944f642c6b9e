import { isJsonObject, jsonEquals, type MutableJsonObject } from '@orch/machinery/json';
import { type Element, fieldElement } from '../fields/element.ts';
import { itemElement, sameIdentity } from '../shape/list-items.ts';
import {
  fieldShape,
  isWhole,
  type ListShape,
  type ObjectShape,
  ownsEntries,
  type Shape,
} from '../shape/shape.ts';
import { isEmptyContainer, own } from '../values/own.ts';
import { asObjectShape, declaredField, isGranularList, isGranularObject } from './fields.ts';

type Raw = Readonly<Record<string, unknown>>;

const noFields: Raw = {};

/** Number of steps of a serialised set at one level. */
function stepsOf(raw: Raw): number {
  let count = 0;
  for (const text in raw) if (text !== '.') count++;
  return count;
}

/**
 * Reports whether applying a configuration would change nothing at all: the object has its values already, and a serialised
 * set lists exactly its fields. One walk without allocation; false is inconclusive, since unusual cases are left to the
 * full merge. A configuration for which this holds needs no check, since the object has passed all of them.
 */
export function isAppliedAlready(config: unknown, live: unknown, shape: Shape, raw: unknown): boolean {
  return isJsonObject(raw) && isJsonObject(config) && samePart(config, live, shape, { raw, isThing: false });
}

interface Claim {
  readonly raw: Raw;
  /** An entry of a map or an item of a list, which is owned itself too. */
  readonly isThing: boolean;
}

function samePart(config: unknown, live: unknown, shape: Shape, { raw, isThing }: Claim): boolean {
  if (isGranularObject(shape, config) && !isEmptyContainer(config)) {
    if (!isGranularObject(shape, live) || isThing !== Object.hasOwn(raw, '.')) return false;
    return sameFields(config, live, asObjectShape(shape), raw);
  }
  if (isGranularList(shape, config)) {
    if (!isGranularList(shape, live) || isThing || Object.hasOwn(raw, '.')) return false;
    return config.length > 0 && sameItems(config, live, shape as ListShape, raw);
  }
  return stepsOf(raw) === 0 && sameValue(config, live, shape);
}

/** Values that are owned whole. Null and empty containers are left to the long way. */
function sameValue(config: unknown, live: unknown, shape: Shape): boolean {
  if (config === null || live === undefined) return false;
  if (shape.kind === 'scalar') return shape.same(live, config);
  return (isWhole(shape) || !isJsonObject(config)) && jsonEquals(live, config);
}

function sameFields(
  config: MutableJsonObject,
  live: MutableJsonObject,
  shape: ObjectShape,
  raw: Raw,
): boolean {
  const isThing = ownsEntries(shape);
  let owned = 0;
  for (const name of Object.keys(config)) {
    const field = declaredField(shape, name);
    const below = field?.shape ?? fieldShape(shape, name);
    if (below.kind === 'ignored') continue;
    const claim = own(raw, field?.element ?? fieldElement(name));
    const part = config[name];
    // A struct that contains only the name of the object owns nothing.
    if (claim === undefined && (isThing || !isGranularObject(below, part))) return false;
    if (!samePart(part, own(live, name), below, { raw: asRaw(claim), isThing })) return false;
    if (claim !== undefined) owned++;
  }
  return owned === stepsOf(raw);
}

const asRaw = (claim: unknown): Raw => (isJsonObject(claim) ? claim : noFields);

/** Compares by position: items at other positions are left to the full comparison. */
function sameItems(
  config: readonly unknown[],
  live: readonly unknown[],
  shape: ListShape,
  raw: Raw,
): boolean {
  if (config.length > live.length) return false;
  const seen = new Set<Element>();
  for (const [i, item] of config.entries()) {
    if (!sameIdentity(shape, live[i], item)) return false;
    const element = itemElement(shape, item, i);
    const claim = own(raw, element);
    seen.add(element);
    if (!isJsonObject(claim)) return false;
    if (!samePart(item, live[i], shape.items, { raw: claim, isThing: shape.identity === 'keys' }))
      return false;
  }
  return seen.size === config.length && seen.size === stepsOf(raw);
}
