import { encodeJson, type StatusDetails } from '@orch/machinery';
import { emptyQuery, type Negotiator, parseQuery, type Query, type Shape } from '../negotiation/index.ts';
import { wantsPretty } from '../pipeline/pretty.ts';
import type { ApiRequest, BytesReply, HeaderList } from '../pipeline/types.ts';
import { type Form, finish } from './encodings.ts';
import { includeObject } from './table-options.ts';

const jsonHeaders: HeaderList = Object.freeze({ 'Content-Type': 'application/json' });
const yamlHeaders: HeaderList = Object.freeze({ 'Content-Type': 'application/yaml' });

/** Headers of an answer in a form, with the warnings that go with it. */
export function headersOf(form: Form, warnings: readonly string[] = []): HeaderList {
  const plain = form.representation.encoding === 'yaml' ? yamlHeaders : jsonHeaders;
  return warnings.length === 0 ? plain : { ...plain, Warning: warnings.map(warningHeader) };
}

/** RFC 9111 section 5.5: code 299, no agent. Line breaks and control characters must not reach a header. */
const warningHeader = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
  `299 - ${JSON.stringify(text.replace(/[\u0000-\u001f\u007f]+/g, ' '))}`;

export const bytesReply = (
  status: number,
  form: Form,
  body: Buffer,
  warnings: readonly string[] = [],
): BytesReply => ({ kind: 'bytes', status, headers: headersOf(form, warnings), body });

/** What the client says about the form of the answer. */
export function formOf(request: ApiRequest, query: Query, negotiator: Negotiator, shape: Shape): Form {
  const representation = negotiator.negotiate(request.headers.accept, shape);
  return {
    representation,
    pretty: representation.encoding === 'json' && shape !== 'watch' && wantsPretty(request),
    include: representation.as === 'table' ? includeObject(query) : 'Metadata',
  };
}

export const queryOf = (request: ApiRequest): Query =>
  request.rawQuery === '' ? emptyQuery : parseQuery(request.rawQuery);

/** A Status that says that all went well (facts: success). */
export function successReply(
  code: number,
  form: Form,
  details?: StatusDetails,
  showCode = false,
): BytesReply {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    ...(details === undefined ? {} : { details }),
    ...(showCode ? { code } : {}),
  };
  return bytesReply(code, form, finish(encodeJson(status), form));
}
