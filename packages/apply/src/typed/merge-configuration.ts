import { isJsonObject, type MutableJsonObject } from '@orch/machinery/json';
import { fieldPath } from '@orch/machinery/object-meta';
import { itemIdentity } from '../shape/list-items.ts';
import { fieldShape, isWhole, type Shape } from '../shape/shape.ts';
import type { ObjectShapes } from '../shape/shapes.ts';
import { checkConfig } from './check-config.ts';
import { mergeConfig } from './merge.ts';

/** An object with a configuration merged in, or the error of the configuration. */
export type MergedConfiguration =
  | { readonly kind: 'merged'; readonly object: MutableJsonObject }
  | { readonly kind: 'invalid'; readonly problem: string };

const invalid = (problem: string): MergedConfiguration => ({ kind: 'invalid', problem });

/**
 * Merges a configuration without an owner into an object, as apply merges it. Lists, maps and structs that are replaced
 * as a whole must not be in the configuration: it would remove values of others. Pure.
 */
export function mergeConfiguration(
  live: MutableJsonObject,
  configuration: MutableJsonObject,
  { root }: Pick<ObjectShapes, 'root'>,
): MergedConfiguration {
  const { config, errors, unknown } = checkConfig(configuration, root);
  const [error] = errors;
  if (error !== undefined) return invalid(`${error.field}: ${error.message ?? error.type}`);
  if (unknown.length > 0) return invalid(`${unknown.join(', ')}: field not declared in schema`);
  const replaced = replacedWhole(config, root, '');
  if (replaced !== undefined) return invalid(`may not mutate atomic arrays, maps or structs: ${replaced}`);
  return { kind: 'merged', object: mergeConfig(live, config, root) as MutableJsonObject };
}

/** The path of a value with parts that is replaced as a whole. */
function replacedWhole(value: unknown, shape: Shape, path: string): string | undefined {
  if (shape.kind === 'scalar' || shape.kind === 'ignored') return undefined;
  if (Array.isArray(value)) {
    if (shape.kind === 'list' && isWhole(shape)) return path;
    if (shape.kind !== 'list') return undefined;
    return firstOf(value.entries(), ([i, item]) =>
      itemIdentity(shape, item) === undefined
        ? undefined
        : replacedWhole(item, shape.items, fieldPath.index(path, i)),
    );
  }
  if (!isJsonObject(value) || shape.kind === 'list') return undefined;
  if (isWhole(shape)) return path;
  return firstOf(Object.entries(value), ([name, field]) =>
    replacedWhole(field, fieldShape(shape, name), fieldPath.child(path, name)),
  );
}

function firstOf<T, R>(items: Iterable<T>, find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
