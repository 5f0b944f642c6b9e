import { isJsonObject } from '@orch/machinery/json';
import { ConfigError } from './config-error.ts';

/** The place of an object: the file and the path within it. */
export interface Place {
  readonly file: string;
  readonly path: string;
}

/**
 * The fields of one object of a client configuration file. Null and empty strings count as absent, because other
 * programs write them for unset fields. Errors are ConfigErrors without the value, which may be a secret.
 */
export class Fields {
  readonly place: Place;
  readonly #value: Readonly<Record<string, unknown>>;

  constructor(value: unknown, place: Place) {
    if (!isJsonObject(value)) throw new ConfigError(`expected an object, not ${kindOf(value)}`, at(place));
    this.place = place;
    this.#value = value;
  }

  /** Own properties only, not those of the prototype. */
  raw(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? (this.#value[name] ?? undefined) : undefined;
  }

  names(): readonly string[] {
    return Object.keys(this.#value);
  }

  text(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined || value === '') return undefined;
    return typeof value === 'string' ? value : this.fail(name, `expected a string, not ${kindOf(value)}`);
  }

  needed(name: string): string {
    return this.text(name) ?? this.fail(name, 'is missing');
  }

  flag(name: string): boolean {
    const value = this.raw(name) ?? false;
    return typeof value === 'boolean'
      ? value
      : this.fail(name, `expected true or false, not ${kindOf(value)}`);
  }

  texts(name: string): readonly string[] {
    return this.#list(name).map((item, i) =>
      typeof item === 'string'
        ? item
        : this.fail(`${name}[${i}]`, `expected a string, not ${kindOf(item ?? undefined)}`),
    );
  }

  object(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Fields(value, this.#placeOf(name));
  }

  objects(name: string): readonly Fields[] {
    return this.#list(name).map((item, i) => new Fields(item, this.#placeOf(`${name}[${i}]`)));
  }

  fail(name: string, problem: string): never {
    throw new ConfigError(problem, at(this.#placeOf(name)));
  }

  #list(name: string): readonly unknown[] {
    const value = this.raw(name) ?? [];
    return Array.isArray(value) ? value : this.fail(name, `expected a list, not ${kindOf(value)}`);
  }

  #placeOf(name: string): Place {
    const { file, path } = this.place;
    return { file, path: path === '' ? name : `${path}.${name}` };
  }
}

const at = ({ file, path }: Place): { file: string; field: string | undefined } => ({
  file,
  field: path === '' ? undefined : path,
});

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'true or false';
  return isJsonObject(value) ? 'an object' : 'a number';
}
