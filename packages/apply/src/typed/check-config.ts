import { type FieldError, fieldError, MAX_FIELD_ERRORS } from '@orch/machinery';
import { Pace, type Work } from '@orch/machinery/concurrency';
import { hasManyParts, isJsonObject, type MutableJsonObject, setField } from '@orch/machinery/json';
import { fieldPath } from '@orch/machinery/object-meta';
import type { Element } from '../fields/element.ts';
import { itemIdentity } from '../shape/list-items.ts';
import { fieldShape, type ListShape, type ObjectShape, type Shape } from '../shape/shape.ts';
import { own } from '../values/own.ts';

/** The problems of an applied configuration, at most a hundred of each kind. */
export interface ConfigProblems {
  /** Values of a wrong type, items without keys, duplicate items. */
  readonly errors: readonly FieldError[];
  /** Paths of fields that the kind does not have. */
  readonly unknown: readonly string[];
}

/** A configuration without undeclared fields, and its problems. */
export interface CheckedConfig extends ConfigProblems {
  readonly config: MutableJsonObject;
}

const wrongType = (path: string, value: unknown, expected: string): FieldError => ({
  ...fieldError.invalid(path, value, `must be ${expected}`),
  type: 'FieldValueTypeInvalid',
});

class Checker {
  readonly errors: FieldError[] = [];
  readonly unknown: string[] = [];
  readonly #pace = new Pace();

  /** Returns the value without undeclared fields; the value itself when there are none. */
  value(value: unknown, shape: Shape, path: string): unknown {
    if (value === null || shape.kind === 'ignored') return value;
    switch (shape.kind) {
      case 'scalar':
        if (!shape.accepts(value)) this.#error(wrongType(path, value, shape.expected));
        return value;
      case 'free':
        return value;
      case 'list':
        if (Array.isArray(value)) return this.#list(value, shape, path);
        this.#error(wrongType(path, value, 'a list'));
        return value;
      case 'struct':
      case 'map':
        if (isJsonObject(value)) return this.#object(value, shape, path);
        this.#error(wrongType(path, value, 'an object'));
        return value;
    }
  }

  /** Like `value`, of a value with many parts, in pieces. */
  *checking(value: unknown, shape: Shape, path: string): Work<unknown> {
    if (shape.kind === 'list' && Array.isArray(value)) return yield* this.#listInPieces(value, shape, path);
    const isObject = (shape.kind === 'struct' || shape.kind === 'map') && isJsonObject(value);
    return isObject ? yield* this.#objectInPieces(value, shape, path) : this.value(value, shape, path);
  }

  *#objectInPieces(value: MutableJsonObject, shape: ObjectShape, path: string): Work<MutableJsonObject> {
    let known: MutableJsonObject | undefined;
    for (const name of Object.keys(value)) {
      if (this.#pace.isDue()) yield;
      const before = value[name];
      const isUndeclared = isUnknown(shape, name);
      const isDivided = !isUndeclared && hasManyParts(before);
      const after = isDivided
        ? yield* this.checking(before, fieldShape(shape, name), pathOf(shape, path, name))
        : this.#field(before, shape, { path, name });
      if (after === before && !isUndeclared) continue;
      known ??= { ...value };
      if (isUndeclared) delete known[name];
      else setField(known, name, after);
    }
    return known ?? value;
  }

  *#listInPieces(value: readonly unknown[], shape: ListShape, path: string): Work<readonly unknown[]> {
    const pace = this.#pace;
    if (shape.identity !== 'none') {
      const seen = new Set<Element>();
      for (const [i, item] of value.entries()) {
        if (pace.isDue()) yield;
        this.#identity(item, shape, { at: fieldPath.index(path, i), seen });
      }
    }
    const checked: unknown[] = [];
    let isChanged = false;
    for (const [i, item] of value.entries()) {
      if (pace.isDue()) yield;
      const at = fieldPath.index(path, i);
      const isDivided = hasManyParts(item);
      const after = isDivided
        ? yield* this.checking(item, shape.items, at)
        : this.value(item, shape.items, at);
      checked.push(after);
      isChanged ||= after !== item;
    }
    return isChanged ? checked : value;
  }

  /** A field that is declared, without undeclared fields; one that is not is noted. */
  #field(
    before: unknown,
    shape: ObjectShape,
    { name, path }: { readonly path: string; readonly name: string },
  ): unknown {
    const at = pathOf(shape, path, name);
    if (!isUnknown(shape, name)) return this.value(before, fieldShape(shape, name), at);
    if (this.unknown.length < MAX_FIELD_ERRORS) this.unknown.push(at);
    return before;
  }

  #error(error: FieldError): void {
    if (this.errors.length < MAX_FIELD_ERRORS) this.errors.push(error);
  }

  #object(value: MutableJsonObject, shape: ObjectShape, path: string): MutableJsonObject {
    let known: MutableJsonObject | undefined;
    for (const name of Object.keys(value)) {
      const before = value[name];
      const after = this.#field(before, shape, { path, name });
      const isUndeclared = isUnknown(shape, name);
      if (after === before && !isUndeclared) continue;
      known ??= { ...value };
      if (isUndeclared) delete known[name];
      else setField(known, name, after);
    }
    return known ?? value;
  }

  #list(value: readonly unknown[], shape: ListShape, path: string): readonly unknown[] {
    if (shape.identity !== 'none') this.#identities(value, shape, path);
    const after = value.map((item, i) => this.value(item, shape.items, fieldPath.index(path, i)));
    return after.some((item, i) => item !== value[i]) ? after : value;
  }

  #identities(value: readonly unknown[], shape: ListShape, path: string): void {
    const seen = new Set<Element>();
    for (const [i, item] of value.entries())
      this.#identity(item, shape, { at: fieldPath.index(path, i), seen });
  }

  #identity(
    item: unknown,
    shape: ListShape,
    { at, seen }: { readonly at: string; readonly seen: Set<Element> },
  ): void {
    const element = itemIdentity(shape, item);
    if (element === undefined) this.#noIdentity(item, shape, at);
    else if (seen.has(element)) this.#error(fieldError.duplicate(at, shownIdentity(item, shape)));
    else seen.add(element);
  }

  #noIdentity(item: unknown, shape: ListShape, path: string): void {
    if (shape.identity === 'value') {
      this.#error(fieldError.invalid(path, item, 'must be a string, number or boolean: the list is a set'));
    } else if (isJsonObject(item)) {
      for (const { name, absent } of shape.keys)
        this.#key(own(item, name) ?? absent, fieldPath.child(path, name));
    } else this.#error(wrongType(path, item, 'an object'));
  }

  #key(value: unknown, path: string): void {
    if (value === undefined || value === null) {
      this.#error(fieldError.required(path, 'it tells the items of the list apart'));
    }
    // A key of a wrong type is reported where its value is checked, unless any value would do.
    else if (typeof value === 'object') {
      this.#error(fieldError.invalid(path, value, 'must be a string, number or boolean'));
    }
  }
}

const pathOf = (shape: ObjectShape, path: string, name: string): string =>
  shape.kind === 'map' ? fieldPath.key(path, name) : fieldPath.child(path, name);

const isUnknown = (shape: ObjectShape, name: string): boolean =>
  shape.kind === 'struct' && shape.rest === undefined && !shape.fields.has(name);

const shownIdentity = (item: unknown, shape: ListShape): unknown =>
  isJsonObject(item) && shape.identity === 'keys'
    ? Object.fromEntries(shape.keys.map(({ name, absent }) => [name, own(item, name) ?? absent]))
    : item;

/**
 * Checks an applied configuration against the shape of its kind. Recursive: atomic values are checked too.
 * The returned configuration lacks undeclared fields.
 */
export function checkConfig(config: MutableJsonObject, shape: Shape): CheckedConfig {
  const checker = new Checker();
  return checkedBy(checker, checker.value(config, shape, ''), config);
}

/** Like `checkConfig`, of a configuration with many parts, in pieces. */
export function* checkingConfig(config: MutableJsonObject, shape: Shape): Work<CheckedConfig> {
  const checker = new Checker();
  return checkedBy(checker, yield* checker.checking(config, shape, ''), config);
}

const checkedBy = (
  { errors, unknown }: Checker,
  known: unknown,
  config: MutableJsonObject,
): CheckedConfig => ({
  config: isJsonObject(known) ? known : config,
  errors,
  unknown,
});
