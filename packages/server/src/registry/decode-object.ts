import { type ApiObject, errors } from '@orch/machinery';
import type { Codec, DecodeProblem } from '@orch/schema';
import type { ApiRequest } from '../pipeline/types.ts';
import { checkKind, type ExpectedKind, type ParsedBody, type ReadBodyOptions, readBody } from './body.ts';
import type { WriteOptions } from './write-options.ts';

/** An object that a client sent: decoded and defaulted, and what there was to say about it. */
export interface DecodedObject {
  readonly object: ApiObject;
  readonly warnings: readonly string[];
}

/** Reads a body and decodes it with defaults (400 for anything that is not such an object). */
export async function readObject(
  request: ApiRequest,
  codec: Codec,
  expected: ExpectedKind,
  options: Pick<WriteOptions, 'fieldValidation'> & Pick<ReadBodyOptions, 'limitBytes' | 'protobuf'>,
): Promise<DecodedObject> {
  const strictness = options.fieldValidation;
  const body = await readBody(request, {
    limitBytes: options.limitBytes,
    protobuf: options.protobuf,
    reportDuplicates: strictness !== 'Ignore',
  });
  return decodeObject(body, codec, expected, strictness);
}

/** Decodes a parsed body; see `readObject`. */
export function decodeObject(
  body: ParsedBody,
  codec: Codec,
  expected: ExpectedKind,
  strictness: WriteOptions['fieldValidation'],
): DecodedObject {
  checkKind(body.value, expected);
  const { value, problems } = codec.decode(body.value, {
    defaults: true,
    reportUnknown: strictness !== 'Ignore',
    typeMeta: expected,
  });
  const wrong = problems.filter((problem) => problem.kind === 'type');
  if (wrong.length > 0)
    throw errors.badRequest(`the object cannot be read as ${expected.kind}: ${texts(wrong)}`);
  const remarks = [
    ...problems.map((problem) => problem.message),
    ...body.duplicates.map((field) => `duplicate field ${JSON.stringify(field)}`),
  ];
  if (strictness === 'Strict' && remarks.length > 0) {
    throw errors.badRequest(`strict decoding error: ${remarks.slice(0, 10).join(', ')}`);
  }
  return { object: value, warnings: remarks };
}

/** At most ten problems: a hostile body may hold thousands. */
const texts = (problems: readonly DecodeProblem[]): string =>
  problems
    .slice(0, 10)
    .map((problem) => problem.message)
    .join('; ');
