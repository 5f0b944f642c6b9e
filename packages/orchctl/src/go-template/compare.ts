import { valueText } from './format.ts';
import { floatOf, integerOf, type Kind, kindOf, typeOf } from './values.ts';

const incompatible = (): never => {
  throw new Error('incompatible types for comparison');
};

/** Reports whether the first value equals one of the others. Throws an Error for values that cannot be compared. */
export function equalsOne(first: unknown, others: readonly unknown[]): boolean {
  if (others.length === 0) throw new Error('missing argument for comparison');
  return others.some((other) => isEqual(first, other));
}

export function isEqual(a: unknown, b: unknown): boolean {
  const [left, right] = [kindOf(a), kindOf(b)];
  if (left === 'none' || right === 'none') return left === right;
  if (isCollection(left) || isCollection(right)) {
    if (left !== right) return incompatible();
    throw new Error(`non-comparable type ${valueText(a)}: ${typeOf(a)}`);
  }
  if (left !== right) return incompatible();
  if (left === 'int') return integerOf(a) === integerOf(b);
  return left === 'float' ? floatOf(a) === floatOf(b) : a === b;
}

const isCollection = (kind: Kind): boolean => kind === 'slice' || kind === 'map';

export function isLess(a: unknown, b: unknown): boolean {
  const [left, right] = [kindOf(a), kindOf(b)];
  if (!isOrdered(left) || !isOrdered(right)) throw new Error('invalid type for comparison');
  if (left !== right) return incompatible();
  if (left === 'string') return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b))) < 0;
  return left === 'int' ? (integerOf(a) ?? 0n) < (integerOf(b) ?? 0n) : floatOf(a) < floatOf(b);
}

const isOrdered = (kind: Kind): boolean => kind === 'string' || kind === 'int' || kind === 'float';
