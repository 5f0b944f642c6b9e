import { type ApiError, type ApiObject, errors } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { Codec, Decoded, DecodeOptions, DecodeProblem } from '@orch/schema';
import { type KindCodecs, refuseOversized } from '../convert/decoding.ts';
import { checkKind, type ExpectedKind, type ParsedBody } from './body.ts';
import type { WriteOptions } from './write-options.ts';

/** An object that a client sent, decoded and defaulted, and the warnings about it. */
export interface DecodedObject {
  readonly object: ApiObject;
  readonly warnings: readonly string[];
}

/** Decodes a parsed body with defaults (400 for anything that is not such an object). */
export function decodeObject(
  body: Omit<ParsedBody, 'size'>,
  codecs: Codec | KindCodecs,
  expected: ExpectedKind,
  strictness: WriteOptions['fieldValidation'],
): DecodedObject {
  checkKind(body.value, expected);
  const { value, problems } = codecIn(codecs).decode(body.value, optionsOf(expected));
  return usable({ value, problems: problemsOf(codecs, body.value, problems) }, body, expected, strictness);
}

/** Like `decodeObject`, in pieces. */
export function* decodeObjectInPieces(
  body: Omit<ParsedBody, 'size'>,
  codecs: Codec | KindCodecs,
  expected: ExpectedKind,
  strictness: WriteOptions['fieldValidation'],
): Work<DecodedObject> {
  checkKind(body.value, expected);
  const { value, problems } = yield* codecIn(codecs).decodeInPieces(body.value, optionsOf(expected));
  yield;
  return usable({ value, problems: problemsOf(codecs, body.value, problems) }, body, expected, strictness);
}

const codecIn = (codecs: Codec | KindCodecs): Codec => ('decode' in codecs ? codecs : codecs.codec);

/** Unknown fields are reported also where they are ignored: among them may be known ones with a value of a wrong type. */
const optionsOf = (typeMeta: ExpectedKind): DecodeOptions & { readonly typeMeta: ExpectedKind } => ({
  defaults: true,
  reportUnknown: true,
  typeMeta,
});

/** The problems of a value by the codec, or codecs, of its kind. */
export const problemsOf = (
  codecs: Codec | KindCodecs,
  value: unknown,
  found: readonly DecodeProblem[],
): readonly DecodeProblem[] => ('decode' in codecs ? found : knownProblems(codecs, value, found));

const noWarnings: readonly string[] = [];

/** The object, unless its problems make it unusable. */
function usable(
  { value, problems }: Decoded,
  body: Omit<ParsedBody, 'size'>,
  expected: ExpectedKind,
  strictness: WriteOptions['fieldValidation'],
): DecodedObject {
  if (problems.length === 0 && body.unknown.length === 0 && body.duplicates.length === 0)
    return { object: value, warnings: noWarnings };
  refuseUnusable(problems, expected.kind);
  if (strictness === 'Ignore') return { object: value, warnings: noWarnings };
  const remarks = [
    ...problems.map((problem) => problem.message),
    ...body.unknown.map((field) => `unknown field ${JSON.stringify(field)}`),
    ...body.duplicates.map((field) => `duplicate field ${JSON.stringify(field)}`),
  ];
  if (strictness === 'Strict' && remarks.length > 0) {
    throw strictError(remarks);
  }
  return { object: value, warnings: remarks };
}

/** Refuses an object with values of wrong types (400), or one that is too large after defaulting (422). */
function refuseUnusable(problems: readonly DecodeProblem[], kind: string): void {
  const wrong = problems.filter((problem) => problem.kind === 'type');
  if (wrong.length > 0) throw unreadable(`the object cannot be read as ${kind}`, wrong);
  refuseOversized(problems, kind);
}

/** At most ten warnings, which name fields and no values: a malicious body may cause thousands. */
export const strictMessage = (remarks: readonly string[]): string =>
  `strict decoding error: ${remarks.slice(0, 10).join(', ')}`;

export const strictError = (remarks: readonly string[]): Error =>
  errors.malformedRequest(strictMessage(remarks));

export const isUnknown = ({ kind }: DecodeProblem): boolean => kind === 'unknown';

/** Fields of a disabled feature gate are dropped, but are not unknown, and their values have a type. */
export const knownProblems = (
  codecs: KindCodecs,
  value: unknown,
  found: readonly DecodeProblem[],
): readonly DecodeProblem[] =>
  found.some(isUnknown)
    ? [
        ...found.filter(({ kind }) => kind === 'size'),
        ...codecs.declared.decode(value, { reportUnknown: true }).problems,
      ]
    : found;

/**
 * The 400 for values of wrong types. Reports at most ten: a malicious body may cause thousands. The codec of a kind that holds
 * credentials reports no values.
 */
export function unreadable(what: string, problems: readonly DecodeProblem[]): ApiError {
  const texts = problems.slice(0, 10).map((problem) => problem.message);
  return errors.malformedRequest(`${what}: ${texts.join('; ')}`);
}
