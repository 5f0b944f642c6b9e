import { type MutableJsonObject, setField } from '@orch/machinery/json';
import type { Element } from '../fields/element.ts';
import { itemElement, sameIdentity } from '../shape/list-items.ts';
import { fieldShape, isWhole, type ListShape, type ObjectShape, type Shape } from '../shape/shape.ts';
import { own } from '../values/own.ts';
import { asObjectShape, declaredField, isDroppedZero, isGranularList, isGranularObject } from './fields.ts';
import { mergeOrder } from './merge-order.ts';

/**
 * Merges an applied configuration into a live value: values of the configuration take precedence, the rest is kept (spec
 * 4.9 rule 6). The configuration must have been checked. Pure; where the configuration changes nothing, parts of `live` are
 * returned as they are.
 */
export function mergeConfig(live: unknown, config: unknown, shape: Shape): unknown {
  if (shape.kind === 'ignored') return live ?? config;
  if (isWhole(shape)) return shape.kind === 'scalar' && shape.same(live, config) ? live : config;
  if (isGranularList(shape, config)) {
    return isGranularList(shape, live) ? mergeLists(live, config, shape as ListShape) : config;
  }
  if (isGranularObject(shape, config)) {
    return isGranularObject(shape, live) ? mergeObjects(live, config, asObjectShape(shape)) : config;
  }
  // Null does not change the parts of the live value: it only takes ownership of the place.
  if (config === null && (isGranularObject(shape, live) || isGranularList(shape, live))) return live;
  return config;
}

function mergeObjects(
  live: MutableJsonObject,
  config: MutableJsonObject,
  shape: ObjectShape,
): MutableJsonObject {
  let merged: MutableJsonObject | undefined;
  for (const name of Object.keys(config)) {
    const before = own(live, name);
    const after = mergeField(before, config[name], shape, name);
    if (after === before) continue;
    merged ??= { ...live };
    if (after === undefined) delete merged[name];
    else setField(merged, name, after);
  }
  return merged ?? live;
}

function mergeField(before: unknown, config: unknown, shape: ObjectShape, name: string): unknown {
  const field = declaredField(shape, name);
  if (field !== undefined) {
    // A value that is stored as absent is not added, so that an object that has it already is not changed.
    if (before === undefined && (config === null || isDroppedZero(field, config))) return undefined;
    if (config === null && isWhole(field.shape) && field.shape.kind !== 'ignored') {
      return before === null ? before : undefined;
    }
  }
  return mergeConfig(before, config, fieldShape(shape, name));
}

/** The first item of each identity, by its place. */
function placesOf(ids: readonly Element[]): Map<Element, number> {
  const places = new Map<Element, number>();
  ids.forEach((id, i) => {
    if (!places.has(id)) places.set(id, i);
  });
  return places;
}

/** Reports whether every item has the same position in the live list: the most frequent case, which needs no identities. */
const samePlaces = (live: readonly unknown[], config: readonly unknown[], shape: ListShape): boolean =>
  live.length === config.length && config.every((item, i) => sameIdentity(shape, live[i], item));

function mergeLists(
  live: readonly unknown[],
  config: readonly unknown[],
  shape: ListShape,
): readonly unknown[] {
  if (samePlaces(live, config, shape)) {
    return unlessSame(
      live,
      config.map((item, i) => mergeConfig(live[i], item, shape.items)),
    );
  }
  const liveIds = live.map((item, i) => itemElement(shape, item, i));
  const configIds = config.map((item, i) => itemElement(shape, item, i));
  const places = placesOf(liveIds);
  const merged = config.map((item, i) => {
    const place = places.get(configIds[i] ?? '');
    return place === undefined ? item : mergeConfig(live[place], item, shape.items);
  });
  const order = mergeOrder(liveIds, configIds, places);
  return unlessSame(
    live,
    order.map(({ from, at }) => (from === 'live' ? live[at] : merged[at])),
  );
}

/** The live list itself when the merged one holds the very same items. */
const unlessSame = (live: readonly unknown[], merged: readonly unknown[]): readonly unknown[] =>
  merged.length === live.length && merged.every((item, i) => item === live[i]) ? live : merged;
