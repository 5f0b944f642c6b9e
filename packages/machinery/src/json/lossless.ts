import type { Work } from '../concurrency/index.ts';
import { type ExactNumber, numberFromText, spelledNumber } from './exact-number.ts';
import { JsonSyntaxError } from './syntax-error.ts';
import { setField } from './values.ts';
import { JsonWalker, stringAt } from './walk.ts';

/** Options for parsing numbers. */
export interface NumberOptions {
  /**
   * Refuses numbers beyond the range of a double (`1e400`). Set it for everything that clients and webhooks send: most
   * other clients cannot read an object with such a number.
   */
  readonly finite?: boolean;
  /**
   * Reads whole numbers that have a fraction or an exponent (`5.0`, `1e2`) as exact numbers with their text, which integer
   * fields refuse.
   */
  readonly keepSpelling?: boolean;
}

type Container = unknown[] | Record<string, unknown>;

/**
 * Builds the value of a JSON text with every number exact. Several times slower than `JSON.parse`, but without the cost
 * that its reviver has per value, so that no input gets disproportionately expensive. Throws a JsonSyntaxError.
 */
export function parseLossless(text: string, options: NumberOptions = {}): unknown {
  const { walker, value } = losslessWalk(text, options);
  walker.walk();
  return value();
}

/** As `parseLossless`, in pieces. */
export function* losslessInPieces(text: string, options: NumberOptions): Work<unknown> {
  const { walker, value } = losslessWalk(text, options);
  yield* walker.walkInPieces();
  return value();
}

/** Walks over the text and returns its value. */
function losslessWalk(text: string, { finite = false, keepSpelling = false }: NumberOptions) {
  const read = keepSpelling ? spelledNumber : numberFromText;
  const stack: Container[] = [];
  const names: string[] = [];
  let top: Container | undefined;
  let name = '';
  let result: unknown;
  const add = (value: unknown): void => {
    if (top === undefined) result = value;
    else if (Array.isArray(top)) top.push(value);
    else setField(top, name, value);
  };
  const enter = (container: Container): void => {
    add(container);
    if (top !== undefined) {
      stack.push(top);
      names.push(name);
    }
    top = container;
  };
  const number = (start: number, end: number): number | ExactNumber => {
    const token = text.slice(start, end);
    if (!finite || Number.isFinite(Number(token))) return read(token);
    const path = pathOf(top === undefined ? [] : [...stack, top], [...names, name]);
    const problem = `the number ${shortened(token)} is out of the range of a 64-bit float`;
    throw JsonSyntaxError.at(text, start, path === '' ? problem : `${path}: ${problem}`);
  };
  const walker = new JsonWalker(text, {
    enterObject: () => enter({}),
    enterArray: () => enter([]),
    leave() {
      top = stack.pop();
      name = names.pop() ?? '';
    },
    field(next) {
      name = next;
    },
    string: (start, end, escaped) => add(stringAt(text, start, end, escaped)),
    number: (start, end) => add(number(start, end)),
    literal: add,
  });
  return { walker, value: () => result };
}

const MAX_SHOWN = 40;

const shortened = (token: string): string =>
  token.length <= MAX_SHOWN ? token : `${token.slice(0, MAX_SHOWN)}…`;

/** The path of the value that is read next: `spec.sizes[2]`. Each container has the name under which its child is added. */
function pathOf(containers: readonly Container[], names: readonly string[]): string {
  return containers
    .map((container, level) => {
      if (!Array.isArray(container)) return level === 0 ? (names[level] ?? '') : `.${names[level] ?? ''}`;
      // The container of the value does not have it yet; the others end with the child on the path.
      return `[${level === containers.length - 1 ? container.length : container.length - 1}]`;
    })
    .join('');
}
