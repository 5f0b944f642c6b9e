import {
  errors,
  findDuplicateKeys,
  isJsonObject,
  JsonSyntaxError,
  parseJson,
  parseYaml,
  YamlSyntaxError,
} from '@orch/machinery';
import { parseMediaRange } from '../negotiation/index.ts';
import type { ApiRequest } from '../pipeline/types.ts';

const objectMediaTypes = ['application/json', 'application/yaml'] as const;
type ObjectMediaType = (typeof objectMediaTypes)[number];

/** A request body as JSON data, untrusted still. */
export interface ParsedBody {
  readonly value: unknown;
  /** Paths of members that occur more than once; empty unless asked for. */
  readonly duplicates: readonly string[];
}

/** Media type of a request, lower case and without parameters; `''` when it does not say. */
export const mediaTypeOf = (request: ApiRequest): string => {
  const header = request.headers['content-type'];
  if (header === undefined || header === 'application/json') return header ?? '';
  return parseMediaRange(header).type;
};

function objectMediaType(request: ApiRequest): ObjectMediaType {
  const type = mediaTypeOf(request);
  if (type === '' || type === 'application/json') return 'application/json';
  if (type === 'application/yaml') return type;
  throw errors.unsupportedMediaType(type, objectMediaTypes);
}

export interface ReadBodyOptions {
  readonly limitBytes: number;
  readonly reportDuplicates?: boolean;
}

/** Reads an object as JSON or YAML. 415 for another content type, 413 above the limit, 400 for what cannot be read. */
export async function readBody(request: ApiRequest, options: ReadBodyOptions): Promise<ParsedBody> {
  const mediaType = objectMediaType(request);
  return parseBody(await request.body(options.limitBytes), mediaType, options.reportDuplicates === true);
}

/** As `readBody`; undefined for a request without a body. */
export async function readOptionalBody(
  request: ApiRequest,
  options: ReadBodyOptions,
): Promise<ParsedBody | undefined> {
  const bytes = await request.body(options.limitBytes);
  return bytes.length === 0 ? undefined : parseBody(bytes, objectMediaType(request), false);
}

/** Reads bytes of a known media type. */
export function parseBody(bytes: Buffer, mediaType: string, reportDuplicates: boolean): ParsedBody {
  if (bytes.length === 0) throw errors.badRequest('the request has no body');
  try {
    if (mediaType.endsWith('yaml')) return readYaml(bytes, reportDuplicates);
    return { value: parseJson(bytes), duplicates: reportDuplicates ? findDuplicateKeys(bytes) : [] };
  } catch (cause) {
    if (cause instanceof JsonSyntaxError)
      throw errors.badRequest(`the request body is no valid JSON: ${cause.message}`);
    if (cause instanceof YamlSyntaxError)
      throw errors.badRequest(`the request body is no valid YAML: ${cause.message}`);
    throw cause;
  }
}

function readYaml(bytes: Buffer, reportDuplicates: boolean): ParsedBody {
  const duplicates: string[] = [];
  const value = parseYaml(
    bytes,
    reportDuplicates ? { onDuplicateKey: (path) => void duplicates.push(path) } : {},
  );
  return { value, duplicates };
}

/** Kind and version that a request body must be of. */
export interface ExpectedKind {
  readonly kind: string;
  readonly apiVersion: string;
  /** Further versions that are taken as well. */
  readonly otherApiVersions?: readonly string[];
}

/** Checks that a body is an object of the kind and version of its path; both may be left out (400). */
export function checkKind(value: unknown, expected: ExpectedKind): void {
  if (!isJsonObject(value))
    throw errors.badRequest(`the request body must be an object of kind ${expected.kind}`);
  const { kind, apiVersion } = value;
  if (kind !== undefined && kind !== '' && kind !== expected.kind) {
    throw errors.badRequest(
      `the object is of kind ${show(kind)}, this path takes ${JSON.stringify(expected.kind)}`,
    );
  }
  if (apiVersion === undefined || apiVersion === '' || apiVersion === expected.apiVersion) return;
  if (expected.otherApiVersions?.includes(apiVersion as string) === true) return;
  throw errors.badRequest(
    `the apiVersion of the object (${show(apiVersion)}) does not match that of the path (${JSON.stringify(expected.apiVersion)})`,
  );
}

const show = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : `a value that is no string`;
