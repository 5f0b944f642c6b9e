import { messageOf } from '../error-message.ts';
import { isJsonObject } from '../json/index.ts';
import { type LineOf, yamlLines } from './lines.ts';
import { parseYaml } from './parse.ts';

/** An invalid configuration file. The message begins with the line of the invalid value and its path. */
export class ConfigFileError extends Error {
  override readonly name = 'ConfigFileError';
  readonly file: string;

  constructor(file: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.file = file;
  }
}

type Path = readonly (string | number)[];

/** Limits of a whole number. */
interface Range {
  readonly least: number;
  readonly most: number;
}

interface ConfigSource {
  readonly file: string;
  readonly lineOf: LineOf;
}

/**
 * A value of a configuration file in YAML or JSON, with its place in the file. Values are read strictly: an unknown or
 * repeated field, or another type than expected, is a `ConfigFileError`. An absent field reads as `undefined`, `''` or an
 * empty list.
 */
export class ConfigValue {
  readonly value: unknown;
  readonly #path: Path;
  readonly #source: ConfigSource;

  private constructor(value: unknown, path: Path, source: ConfigSource) {
    this.value = value ?? undefined;
    this.#path = path;
    this.#source = source;
  }

  /** The content of a file. Throws `ConfigFileError` for a syntax error and for a field that is repeated. */
  static parse(text: string, file: string): ConfigValue {
    const duplicates: string[] = [];
    let value: unknown;
    try {
      value = parseYaml(Buffer.from(text), { onDuplicateKey: (path) => void duplicates.push(path) });
    } catch (error) {
      throw new ConfigFileError(file, messageOf(error), { cause: error });
    }
    const lineOf = yamlLines(text);
    const [first] = duplicates;
    if (first !== undefined) {
      throw new ConfigFileError(file, `line ${lineOf(stepsOf(first))}: ${first}: the field is repeated`);
    }
    return new ConfigValue(value, [], { file, lineOf });
  }

  /** The file that contains the value, as given. */
  get file(): string {
    return this.#source.file;
  }

  get isAbsent(): boolean {
    return this.value === undefined;
  }

  fail(problem: string): never {
    const path = this.#path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    const place = path === '' ? '' : `${path.replace(/^\./, '')}: `;
    throw new ConfigFileError(this.file, `line ${this.#source.lineOf(this.#path)}: ${place}${problem}`);
  }

  /** Reads an object that has these fields only; an absent object has none of them. */
  object<Field extends string>(fields: readonly Field[]): (field: Field) => ConfigValue {
    const found = this.#object();
    for (const name of Object.keys(found)) {
      if (!(fields as readonly string[]).includes(name)) {
        this.#at(name).fail(`unknown field ${JSON.stringify(name)}, expected one of ${fields.join(', ')}`);
      }
    }
    return (field) => this.#at(field);
  }

  /** Reads a versioned object: `kind` and `apiVersion` must be among the given ones. */
  document<Field extends string>(
    { kind, apiVersions }: { readonly kind: string; readonly apiVersions: readonly string[] },
    fields: readonly Field[],
  ): (field: Field | 'apiVersion') => ConfigValue {
    const field = this.object<Field | 'apiVersion' | 'kind' | 'metadata'>([
      'apiVersion',
      'kind',
      'metadata',
      ...fields,
    ]);
    field('kind').oneOf([kind]);
    field('apiVersion').oneOf(apiVersions);
    return field;
  }

  list(): readonly ConfigValue[] {
    if (this.isAbsent) return [];
    if (!Array.isArray(this.value)) return this.fail('must be a list');
    return this.value.map((_, at) => this.#at(at));
  }

  /** The entries of an object with any names. */
  entries(): readonly (readonly [string, ConfigValue])[] {
    return Object.keys(this.#object()).map((name) => [name, this.#at(name)]);
  }

  texts(): readonly string[] {
    return this.list().map((one) => (one.isAbsent ? one.fail('must be a string') : one.text()));
  }

  text(): string {
    if (this.isAbsent) return '';
    return typeof this.value === 'string' ? this.value : this.fail('must be a string');
  }

  flag(): boolean | undefined {
    if (this.isAbsent || typeof this.value === 'boolean') return this.value as boolean | undefined;
    return this.fail('must be true or false');
  }

  whole({ least, most }: Range): number | undefined {
    if (this.isAbsent) return undefined;
    const { value } = this;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    return this.fail(`must be an integer from ${least} to ${most}, not ${displayed(value)}`);
  }

  oneOf<T extends string>(all: readonly T[]): T {
    const found = all.find((one) => one === this.value);
    if (found !== undefined) return found;
    return this.fail(
      `must be one of ${all.join(', ')}${this.isAbsent ? '' : `, not ${displayed(this.value)}`}`,
    );
  }

  #object(): Readonly<Record<string, unknown>> {
    if (this.isAbsent) return {};
    return isJsonObject(this.value) ? this.value : this.fail('must be an object');
  }

  #at(step: string | number): ConfigValue {
    const parent = (this.value ?? {}) as Readonly<Record<string | number, unknown>>;
    const value = Object.hasOwn(parent, step) ? parent[step] : undefined;
    return new ConfigValue(value, [...this.#path, step], this.#source);
  }
}

/** The steps of a path such as `rules[0].level`. */
const stepsOf = (path: string): Path =>
  path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));

const displayed = (value: unknown): string => JSON.stringify(value)?.slice(0, 100) ?? 'nothing';
