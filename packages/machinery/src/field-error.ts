import { isJsonObject } from './json/index.ts';

/** Cause types of `Status.details.causes[].reason` for a field. */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One thing wrong with one field. `field` is the standard path form: `spec.containers[0].ports[1].name`, `metadata.labels[a.b]`. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly message: string;
  /** The message without the value, for clients that must not read it; absent when the message contains no value. */
  readonly withoutValue?: string;
}

/** Types whose messages always contain a value. */
const showsValue: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueNotFound',
  'FieldValueDuplicate',
  'FieldValueInvalid',
  'FieldValueNotSupported',
  'FieldValueTypeInvalid',
  'InternalError',
]);

/** Replaces a value that a message must not contain. */
const WITHHELD = '<withheld>';

/** The message of an error without the value that it is about. */
export const messageWithoutValue = ({ type, message, withoutValue }: FieldError): string =>
  withoutValue ?? (showsValue.has(type) ? `Invalid value: ${WITHHELD}` : message);

/** Limit of reported problems of an object or a part of it: a malicious body may contain millions of invalid values. */
export const MAX_FIELD_ERRORS = 100;

const MAX_DISPLAYED_CHARACTERS = 256;

/** The JSON text of a value in chunks, so that a caller that needs only its beginning does not encode all of it. */
function* jsonPieces(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      yield i === 0 ? '[' : ',';
      yield* jsonPieces(item);
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (isJsonObject(value)) {
    let separator = '{';
    for (const name of Object.keys(value)) {
      if (value[name] === undefined) continue;
      yield `${separator}${JSON.stringify(name.slice(0, MAX_DISPLAYED_CHARACTERS))}:`;
      yield* jsonPieces(value[name]);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  } else {
    yield JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_DISPLAYED_CHARACTERS) : value) ??
      'null';
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return text(value);
  let shown = '';
  for (const piece of jsonPieces(value)) {
    shown += piece;
    if (shown.length > MAX_DISPLAYED_CHARACTERS) return beginningOf(shown);
  }
  return shown;
}

const beginningOf = (shown: string): string => `${shown.slice(0, MAX_DISPLAYED_CHARACTERS)}…`;

/** The JSON of a string. */
function text(value: string): string {
  const shown = JSON.stringify(
    value.length > MAX_DISPLAYED_CHARACTERS ? value.slice(0, MAX_DISPLAYED_CHARACTERS) : value,
  );
  return shown.length > MAX_DISPLAYED_CHARACTERS ? beginningOf(shown) : shown;
}

type AboutValue = Pick<FieldError, 'type' | 'field'> & { readonly value: unknown };

/** An error about a value, with a message that shows it and one that does not. */
function about(error: AboutValue, message: (displayed: string) => string): FieldError {
  const { type, field, value } = error;
  if (typeof value === 'object' && value !== null) return aboutLater(error, message);
  return { type, field, message: message(show(value)), withoutValue: message(WITHHELD) };
}

/**
 * As `about`, with messages that are made when they are read: an object may have thousands of invalid values, of which an answer
 * shows a hundred. For long messages only: such an error takes three times as long as one with a short message.
 */
function aboutLater({ type, field, value }: AboutValue, message: (displayed: string) => string): FieldError {
  let shown: string | undefined;
  return {
    type,
    field,
    get message() {
      shown ??= message(show(value));
      return shown;
    },
    get withoutValue() {
      return message(WITHHELD);
    },
  };
}

const supportedList = (values: readonly string[]): string => values.map((v) => JSON.stringify(v)).join(', ');

/** Constructors of field errors with their messages: the value first, then the requirement. */
export const fieldError = {
  required: (field: string, expected = ''): FieldError => ({
    type: 'FieldValueRequired',
    field,
    message: expected === '' ? 'Required value' : `Required value: ${expected}`,
  }),
  invalid: (field: string, value: unknown, expected: string): FieldError =>
    about(
      { type: 'FieldValueInvalid', field, value },
      (displayed) => `Invalid value: ${displayed}: ${expected}`,
    ),
  /** A value of another type than that of the schema. */
  typeInvalid: (field: string, value: unknown, expected: string): FieldError =>
    about(
      { type: 'FieldValueTypeInvalid', field, value },
      (displayed) => `Invalid value: ${displayed}: ${expected}`,
    ),
  notSupported: (field: string, value: unknown, supported: readonly string[]): FieldError =>
    aboutLater({ type: 'FieldValueNotSupported', field, value }, (displayed) =>
      supported.length > 0
        ? `Unsupported value: ${displayed}: supported values: ${supportedList(supported)}`
        : `Unsupported value: ${displayed}`,
    ),
  forbidden: (field: string, why: string): FieldError => ({
    type: 'FieldValueForbidden',
    field,
    message: `Forbidden: ${why}`,
  }),
  duplicate: (field: string, value: unknown): FieldError =>
    about({ type: 'FieldValueDuplicate', field, value }, (displayed) => `Duplicate value: ${displayed}`),
  notFound: (field: string, value: unknown): FieldError =>
    about({ type: 'FieldValueNotFound', field, value }, (displayed) => `Not found: ${displayed}`),
  tooLong: (field: string, maxBytes: number): FieldError => ({
    type: 'FieldValueTooLong',
    field,
    message: `Too long: must have at most ${maxBytes} bytes`,
  }),
  /** A string of custom resources: its length counts characters. */
  tooManyCharacters: (field: string, max: number): FieldError => ({
    type: 'FieldValueTooLong',
    field,
    message: `Too long: may not be longer than ${max}`,
  }),
  tooMany: (field: string, actual: number, max: number): FieldError => ({
    type: 'FieldValueTooMany',
    field,
    message: `Too many: ${actual}: must have at most ${max} items`,
  }),
} as const;
