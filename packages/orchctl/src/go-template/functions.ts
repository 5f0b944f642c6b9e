import { isJsonObject } from '@orch/machinery/json';
import { equalsOne, isEqual, isLess } from './compare.ts';
import { sprint, sprintf, sprintln } from './format.ts';
import { integerOf, kindOf, typeOf } from './values.ts';

/** A function of templates. Throws an Error with the reason when its arguments are invalid. */
interface TemplateFunction {
  readonly least: number;
  readonly most: number;
  readonly call: (args: readonly unknown[]) => unknown;
}

const many = Number.POSITIVE_INFINITY;

const define = (least: number, most: number, call: TemplateFunction['call']): TemplateFunction => ({
  least,
  most,
  call,
});

/** The functions of Go templates, and those that kubectl adds. `and` and `or` are evaluated as far as needed elsewhere. */
export const functions: ReadonlyMap<string, TemplateFunction> = new Map([
  ['and', define(1, many, (args) => args.at(-1))],
  ['or', define(1, many, (args) => args.at(-1))],
  ['not', define(1, 1, ([value]) => value)],
  ['eq', define(1, many, ([first, ...others]) => equalsOne(first, others))],
  ['ne', define(2, 2, ([a, b]) => !isEqual(a, b))],
  ['lt', define(2, 2, ([a, b]) => isLess(a, b))],
  ['le', define(2, 2, ([a, b]) => isLess(a, b) || isEqual(a, b))],
  ['gt', define(2, 2, ([a, b]) => !isLess(a, b) && !isEqual(a, b))],
  ['ge', define(2, 2, ([a, b]) => !isLess(a, b))],
  ['len', define(1, 1, ([value]) => lengthOf(value))],
  ['index', define(1, many, ([value, ...keys]) => keys.reduce(itemOf, value))],
  ['slice', define(1, 4, ([value, ...bounds]) => sliced(value, bounds))],
  ['print', define(0, many, sprint)],
  ['println', define(0, many, sprintln)],
  ['printf', define(1, many, ([format, ...args]) => sprintf(needText(format), args))],
  [
    'html',
    define(0, many, (args) => sprint(args).replaceAll(/[\0"'&<>]/g, (char) => entities[char] ?? char)),
  ],
  ['js', define(0, many, (args) => javaScriptText(sprint(args)))],
  ['urlquery', define(0, many, (args) => queryText(sprint(args)))],
  ['call', define(1, many, ([value]) => notCallable(value))],
  ['exists', define(1, many, ([value, ...keys]) => exists(value, keys))],
  ['base64decode', define(1, 1, ([text]) => decoded(needText(text)))],
]);

export const functionNames: ReadonlySet<string> = new Set(functions.keys());

const entities: Readonly<Record<string, string>> = {
  ...{ '\0': '\uFFFD', '"': '&#34;', "'": '&#39;', '&': '&amp;', '<': '&lt;', '>': '&gt;' },
};

function needText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (kindOf(value) === 'none') throw new Error('invalid value; expected string');
  throw new Error(`wrong type for value; expected string; got ${typeOf(value)}`);
}

function notCallable(value: unknown): never {
  throw new Error(kindOf(value) === 'none' ? 'call of nil' : `non-function of type ${typeOf(value)}`);
}

function lengthOf(value: unknown): bigint {
  if (typeof value === 'string') return BigInt(Buffer.byteLength(value));
  if (Array.isArray(value)) return BigInt(value.length);
  if (kindOf(value) === 'map') return BigInt(Object.keys(value as object).length);
  throw new Error(kindOf(value) === 'none' ? 'len of nil pointer' : `len of type ${typeOf(value)}`);
}

/** The item of a list or map; no value for a key that a map does not have. */
function itemOf(value: unknown, key: unknown): unknown {
  if (kindOf(value) === 'none') throw new Error('index of untyped nil');
  if (isJsonObject(value) && kindOf(value) === 'map') {
    if (typeof key !== 'string') throw new Error(mapKeyProblem(key));
    return Object.hasOwn(value, key) ? value[key] : undefined;
  }
  if (typeof value === 'string')
    return BigInt(Buffer.from(value)[position(key, Buffer.byteLength(value))] ?? 0);
  if (!Array.isArray(value)) throw new Error(`can't index item of type ${typeOf(value)}`);
  return value[position(key, value.length)];
}

const mapKeyProblem = (key: unknown): string =>
  kindOf(key) === 'none'
    ? 'value is nil; should be string'
    : `value has type ${typeOf(key)}; should be string`;

function position(key: unknown, length: number, isBound = false): number {
  if (kindOf(key) === 'none') throw new Error('cannot index slice/array with nil');
  const at = kindOf(key) === 'int' ? Number(integerOf(key)) : undefined;
  if (at === undefined) throw new Error(`cannot index slice/array with type ${typeOf(key)}`);
  if (at < 0 || at > length || (at === length && !isBound)) throw new Error(`index out of range: ${at}`);
  return at;
}

function sliced(value: unknown, bounds: readonly unknown[]): unknown {
  if (kindOf(value) === 'none') throw new Error('slice of untyped nil');
  const isText = typeof value === 'string';
  if (!isText && !Array.isArray(value)) throw new Error(`can't slice item of type ${typeOf(value)}`);
  if (isText && bounds.length > 2) throw new Error('cannot 3-index slice a string');
  const list: Buffer | readonly unknown[] = isText ? Buffer.from(value) : value;
  const [start = 0, end = list.length] = bounds.map((bound) => position(bound, list.length, true));
  if (start > end) throw new Error(`invalid slice index: ${start} > ${end}`);
  return Buffer.isBuffer(list) ? list.subarray(start, end).toString('utf8') : list.slice(start, end);
}

/** Reports whether there is a value below keys and positions. */
function exists(value: unknown, keys: readonly unknown[]): boolean {
  let at = value;
  for (const key of keys) {
    if (Array.isArray(at)) {
      const index = kindOf(key) === 'int' ? Number(integerOf(key)) : -1;
      if (index < 0 || index >= at.length) return false;
      at = at[index];
    } else {
      if (kindOf(at) !== 'map' || typeof key !== 'string' || !Object.hasOwn(at as object, key)) return false;
      at = (at as Readonly<Record<string, unknown>>)[key];
    }
  }
  return true;
}

function decoded(text: string): string {
  const plain = text.replaceAll(/[\r\n]/g, '');
  const invalid = /[^A-Za-z0-9+/]/.exec(plain.replace(/={0,2}$/, ''))?.index;
  if (invalid === undefined && plain.length % 4 === 0) return Buffer.from(plain, 'base64').toString('utf8');
  throw new Error(
    `base64 decode failed: illegal base64 data at input byte ${invalid ?? plain.length - (plain.length % 4)}`,
  );
}

const queryText = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const scriptEscapes: Readonly<Record<string, string>> = {
  ...{ '\\': '\\\\', "'": "\\'", '"': '\\"', '<': '\\u003C', '>': '\\u003E', '&': '\\u0026', '=': '\\u003D' },
};

const javaScriptText = (text: string): string =>
  text.replaceAll(
    /[\\'"<>&=\p{Cc}]/gu,
    (char) =>
      scriptEscapes[char] ?? `\\u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
