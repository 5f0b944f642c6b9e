import { approximateNumber, exactNumberText, isJsonObject, jsonEquals } from '@orch/machinery/json';
import { canonicalQuantity, canonicalResourceQuantity, QuantityError } from '@orch/machinery/quantity';
import { canonicalMicroTime, canonicalTime, parseDuration } from '@orch/machinery/time';
import type { ScalarType } from '@orch/schema';
import { free, type ScalarShape, type Shape } from './shape.ts';

const isString = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => approximateNumber(value) !== undefined;

/** Equality of strings that a decoder rewrites: unequal strings are compared in their canonical form. */
const sameText =
  (canonical: (value: unknown) => string | undefined) =>
  (a: unknown, b: unknown): boolean => {
    if (jsonEquals(a, b)) return true;
    const text = canonical(a);
    return text !== undefined && text === canonical(b);
  };

const ofText =
  (canonical: (text: string) => string | undefined) =>
  (value: unknown): string | undefined =>
    typeof value === 'string' ? canonical(value) : undefined;

const quantityText =
  (canonical: (text: string) => string) =>
  (value: unknown): string | undefined => {
    const text = typeof value === 'string' ? value : exactNumberText(value);
    if (text === undefined) return undefined;
    try {
      return canonical(text);
    } catch (cause) {
      if (cause instanceof QuantityError) return undefined;
      throw cause;
    }
  };

const scalarShape = (
  expected: string,
  accepts: (value: unknown) => boolean,
  same: ScalarShape['same'] = jsonEquals,
): ScalarShape => ({ kind: 'scalar', expected, accepts, same });

const quantity = (canonical: (text: string) => string): ScalarShape =>
  scalarShape(
    'a quantity such as "500m" or "2Gi"',
    (value) => isString(value) || isNumber(value),
    sameText(quantityText(canonical)),
  );

const number = scalarShape('a number', isNumber, (a, b) => exactNumberText(a) === exactNumberText(b));

const shapes: Readonly<Record<ScalarType, Shape>> = {
  string: scalarShape('a string', isString),
  bool: scalarShape('a boolean', (value) => typeof value === 'boolean'),
  int32: number,
  int64: number,
  float64: number,
  bytes: scalarShape('base64 text', isString, sameText(ofText((text) => text.replace(/[\r\n]+/g, '')))),
  quantity: quantity(canonicalQuantity),
  intOrString: scalarShape('a number or a string', (value) => isString(value) || isNumber(value)),
  time: scalarShape('a time such as "2006-01-02T15:04:05Z"', isString, sameText(ofText(canonicalTime))),
  microTime: scalarShape(
    'a time such as "2006-01-02T15:04:05.000000Z"',
    isString,
    sameText(ofText(canonicalMicroTime)),
  ),
  duration: scalarShape(
    'a duration such as "1h30m"',
    isString,
    sameText(ofText((text) => parseDuration(text)?.toString())),
  ),
  // Another object, whose fields only its kind knows: it is owned as a whole.
  object: scalarShape('an object', isJsonObject),
  json: free,
};

export const shapeOfScalar = (type: ScalarType): Shape => shapes[type];

/** Amounts of a resource list: rounded up to a thousandth when they are decoded. */
export const resourceQuantityShape: Shape = quantity(canonicalResourceQuantity);
