import { type ApiError, errors } from '@orch/machinery';
import { CborError, type ReadCborOptions, readCborInPieces } from '@orch/machinery/cbor';
import { atOnce, type Turns, type Work } from '@orch/machinery/concurrency';
import {
  asBuffer,
  findDuplicateKeys,
  findDuplicateKeysInPieces,
  isJsonObject,
  isLarge,
  JsonSyntaxError,
  parseJson,
  parseJsonInPieces,
} from '@orch/machinery/json';
import { parseYaml, YamlSyntaxError } from '@orch/machinery/yaml';
import {
  type ApiRequest,
  CBOR,
  type ProtobufKind,
  parseMediaRange,
  readProtobuf,
  readProtobufInPieces,
} from '@orch/request';
import type { Remarks } from '@orch/schema';
import type { YamlParser } from '../yaml/yaml-parser.ts';

const textMediaTypes = ['application/json', 'application/yaml'] as const;

/** A request body as JSON data, not validated. */
export interface ParsedBody {
  readonly value: unknown;
  /** Bytes as sent. */
  readonly size: number;
  /** Paths of fields that occur more than once; empty unless `reportDuplicates` is set. */
  readonly duplicates: readonly string[];
  /** Paths of Protobuf fields that no release declares; other unknown fields are found when the value is decoded. */
  readonly unknown: readonly string[];
}

/** Media type of a request, lower case and without parameters; `''` when it has none. */
export const mediaTypeOf = (request: ApiRequest): string => {
  const header = request.headers['content-type'];
  if (header === undefined || header === 'application/json') return header ?? '';
  return header.includes(';') ? parseMediaRange(header).type : header.trim().toLowerCase();
};

/**
 * The bytes of a body. Compressed bodies are refused with 415: the server does not decompress requests.
 */
export function bodyBytes(request: ApiRequest, limitBytes: number): Promise<Buffer> {
  const coding = request.headers['content-encoding'] ?? '';
  if (coding !== '' && coding.toLowerCase() !== 'identity')
    throw errors.unsupportedMediaType(`Content-Encoding: ${coding}`, ['identity']);
  return request.body(limitBytes);
}

/** Parses bodies of one media type. */
interface BodyParser {
  parse(bytes: Buffer): ParsedBody;
  /** As `parse`, of a large body; absent where that cannot be divided. */
  parseLarge?(bytes: Buffer, signal: AbortSignal): ParsedBody | Promise<ParsedBody>;
}

/** The parser for the content type of a request (415). */
function bodyParser(request: ApiRequest, options: ReadBodyOptions): BodyParser {
  const type = mediaTypeOf(request);
  const { protobuf, reportDuplicates = false } = options;
  if (type === '' || type === 'application/json' || type === 'application/yaml') {
    const parsing = { reportDuplicates, keepSpelling: protobuf !== undefined };
    const parse = (bytes: Buffer): ParsedBody => parseBody(bytes, type, parsing);
    const parseLarge = type.endsWith('yaml')
      ? (bytes: Buffer, signal: AbortSignal) => parseLargeYaml({ bytes, signal }, parsing, options)
      : (bytes: Buffer) => options.turns.run(parseJsonBody(bytes, parsing));
    return { parse, parseLarge };
  }
  if (type === CBOR && options.cbor) {
    const reading = { keepSpelling: protobuf !== undefined };
    const inPieces = (bytes: Buffer): Work<ParsedBody> => parseCborBody(bytes, reading);
    const parseLarge = (bytes: Buffer): ParsedBody | Promise<ParsedBody> =>
      options.turns.run(inPieces(bytes));
    return { parse: (bytes) => atOnce(inPieces(bytes)), parseLarge };
  }
  if (type === protobuf?.mediaType) {
    return {
      parse: (bytes) => parseProtobuf(bytes, protobuf, reportDuplicates),
      parseLarge: (bytes) => options.turns.run(parseProtobufInPieces(bytes, protobuf, reportDuplicates)),
    };
  }
  throw errors.unsupportedMediaType(type, [
    ...textMediaTypes,
    ...(protobuf === undefined ? [] : [protobuf.mediaType]),
    ...(options.cbor ? [CBOR] : []),
  ]);
}

export interface ReadBodyOptions extends YamlParsing {
  readonly limitBytes: number;
  /** The kind that is expected, for bodies in Protobuf; undefined for one without a Protobuf encoding. */
  readonly protobuf: ProtobufKind | undefined;
  /** Whether bodies in CBOR are served. */
  readonly cbor: boolean;
  /** Also reports unknown Protobuf fields. */
  readonly reportDuplicates?: boolean;
}

/**
 * Reads an object as JSON, YAML, Protobuf or CBOR. Rejects with 413 above the limit, and with 400 for what cannot be read;
 * throws 415 for another content type.
 */
export function readBody(request: ApiRequest, options: ReadBodyOptions): Promise<ParsedBody> {
  const parser = bodyParser(request, options);
  return bodyBytes(request, options.limitBytes).then((bytes) =>
    isLarge(bytes.length)
      ? parsedInTurns(parser, { bytes, signal: request.signal }, options.turns)
      : parser.parse(bytes),
  );
}

/** As `readBody`; undefined for a request without a body. */
export async function readOptionalBody(
  request: ApiRequest,
  options: ReadBodyOptions,
): Promise<ParsedBody | undefined> {
  const bytes = await bodyBytes(request, options.limitBytes);
  if (bytes.length === 0) return undefined;
  const parser = bodyParser(request, options);
  return isLarge(bytes.length)
    ? parsedInTurns(parser, { bytes, signal: request.signal }, options.turns)
    : parser.parse(bytes);
}

async function parsedInTurns(
  parser: BodyParser,
  { bytes, signal }: { readonly bytes: Buffer; readonly signal: AbortSignal },
  turns: Turns,
): Promise<ParsedBody> {
  await turns.begin();
  return parser.parseLarge === undefined ? parser.parse(bytes) : await parser.parseLarge(bytes, signal);
}

export interface ParseBodyOptions {
  readonly reportDuplicates: boolean;
  /**
   * For JSON of kinds with declared integer types: `5.0` and `1e2` keep their text, which integer fields refuse. YAML
   * has no such distinction: other servers convert its numbers before they check types.
   */
  readonly keepSpelling?: boolean;
}

/** Whether a body has repeated fields. Few bodies do, so a second pass finds them. */
class Repeated {
  isNoted = false;
  /** Undefined if nobody is told about repeated fields. */
  readonly note: (() => void) | undefined;

  constructor(isReported: boolean) {
    this.note = isReported
      ? () => {
          this.isNoted = true;
        }
      : undefined;
  }
}

/** Reads bytes of a known media type. */
export function parseBody(
  bytes: Buffer,
  mediaType: string,
  { reportDuplicates, keepSpelling = false }: ParseBodyOptions,
): ParsedBody {
  if (bytes.length === 0) throw errors.malformedRequest('the request has no body');
  try {
    if (mediaType.endsWith('yaml')) return readYaml(bytes, reportDuplicates);
    const repeated = new Repeated(reportDuplicates);
    const value = parseJson(bytes, { finite: true, keepSpelling, onRepeatedFields: repeated.note });
    const duplicates = repeated.isNoted ? findDuplicateKeys(bytes) : [];
    return { value, size: bytes.length, duplicates, unknown: [] };
  } catch (cause) {
    if (cause instanceof JsonSyntaxError) throw notJson('the request body', cause);
    if (cause instanceof YamlSyntaxError) throw notYaml(cause);
    throw cause;
  }
}

/** As `parseBody`, of JSON in pieces. */
export function* parseJsonBody(
  bytes: Buffer,
  { reportDuplicates, keepSpelling = false }: ParseBodyOptions,
): Work<ParsedBody> {
  try {
    const repeated = new Repeated(reportDuplicates);
    const onRepeatedFields = repeated.note;
    const value = yield* parseJsonInPieces(bytes, { finite: true, keepSpelling, onRepeatedFields });
    const duplicates = repeated.isNoted ? yield* findDuplicateKeysInPieces(bytes) : [];
    return { value, size: bytes.length, duplicates, unknown: [] };
  } catch (cause) {
    throw cause instanceof JsonSyntaxError ? notJson('the request body', cause) : cause;
  }
}

const OPENING_BRACE = 0x7b;

/** Whether a body is JSON, unless it is YAML that begins in the same way. */
export const beginsLikeJson = (bytes: Buffer): boolean => bytes[0] === OPENING_BRACE;

/** What the parse of a large body of YAML needs. */
export interface YamlParsing {
  readonly turns: Turns;
  /** Absent where there are no further threads: the parse is then one piece. */
  readonly yaml: YamlParser | undefined;
}

/** As `parseBody`, of YAML: in pieces if it is JSON, which is a subset of YAML, and else on another thread. */
export async function parseLargeYaml(
  { bytes, signal }: { readonly bytes: Buffer; readonly signal: AbortSignal },
  options: ParseBodyOptions,
  { turns, yaml }: YamlParsing,
): Promise<ParsedBody> {
  if (beginsLikeJson(bytes)) {
    try {
      return await turns.run(parseJsonBody(bytes, { ...options, keepSpelling: false }));
    } catch {
      // A body that begins like JSON may still be YAML; if it is neither, the message is about YAML.
    }
  }
  if (yaml === undefined) return parseBody(bytes, 'application/yaml', options);
  const { json, duplicates } = await yaml
    .parse(bytes, options.reportDuplicates, signal)
    .catch((cause: unknown) => {
      throw cause instanceof YamlSyntaxError ? notYaml(cause) : cause;
    });
  const { value } = await turns.run(parseJsonBody(asBuffer(json), { reportDuplicates: false }));
  return { value, size: bytes.length, duplicates, unknown: [] };
}

/** The 400 for text that is not YAML. */
const notYaml = ({ message, line, column }: YamlSyntaxError): ApiError =>
  errors.badRequest(
    `the request body is not valid YAML: ${message}`,
    `the request body is not valid YAML at line ${line}, column ${column}`,
  );

/** The 400 for text that is not JSON. */
export const notJson = (what: string, { message, offset }: JsonSyntaxError): ApiError =>
  errors.badRequest(`${what} is not valid JSON: ${message}`, `${what} is not valid JSON at offset ${offset}`);

function readYaml(bytes: Buffer, reportDuplicates: boolean): ParsedBody {
  const duplicates: string[] = [];
  const value = parseYaml(
    bytes,
    reportDuplicates ? { onDuplicateKey: (path) => void duplicates.push(path) } : {},
  );
  return { value, size: bytes.length, duplicates, unknown: [] };
}

/** The value of a body in CBOR, in pieces. Duplicate keys are an error there, not a remark. */
export function* readCborBody(bytes: Buffer, options: ReadCborOptions): Work<unknown> {
  if (bytes.length === 0) throw errors.malformedRequest('the request has no body');
  try {
    return yield* readCborInPieces(bytes, options);
  } catch (cause) {
    if (!(cause instanceof CborError)) throw cause;
    throw errors.badRequest(
      `the request body is not valid CBOR: ${cause.message}`,
      `the request body is not valid CBOR at offset ${cause.offset}`,
    );
  }
}

function* parseCborBody(bytes: Buffer, options: ReadCborOptions): Work<ParsedBody> {
  const value = yield* readCborBody(bytes, options);
  return { value, size: bytes.length, duplicates: [], unknown: [] };
}

function parseProtobuf(bytes: Buffer, kind: ProtobufKind, isStrict: boolean): ParsedBody {
  const remarks: Remarks = { unknown: [], duplicate: [] };
  const value = readProtobuf(bytes, kind, isStrict ? remarks : undefined);
  return { value, size: bytes.length, duplicates: remarks.duplicate, unknown: remarks.unknown };
}

function* parseProtobufInPieces(bytes: Buffer, kind: ProtobufKind, isStrict: boolean): Work<ParsedBody> {
  const remarks: Remarks = { unknown: [], duplicate: [] };
  const value = yield* readProtobufInPieces(bytes, kind, isStrict ? remarks : undefined);
  return { value, size: bytes.length, duplicates: remarks.duplicate, unknown: remarks.unknown };
}

/** The required kind and version of a request body. */
export interface ExpectedKind {
  readonly kind: string;
  readonly apiVersion: string;
  /** Further versions that are accepted. */
  readonly otherApiVersions?: readonly string[];
}

/** Checks that a body is an object of the kind and version of its path; both may be omitted (400). */
export function checkKind(value: unknown, expected: ExpectedKind): void {
  if (!isJsonObject(value))
    throw errors.malformedRequest(`the request body must be an object of kind ${expected.kind}`);
  const { kind, apiVersion } = value;
  if (kind !== undefined && kind !== '' && kind !== expected.kind) {
    throw errors.badRequest(
      `the object is of kind ${show(kind)}, but this path expects ${JSON.stringify(expected.kind)}`,
      `the object is of another kind, but this path expects ${JSON.stringify(expected.kind)}`,
    );
  }
  if (apiVersion === undefined || apiVersion === '' || apiVersion === expected.apiVersion) return;
  if (expected.otherApiVersions?.includes(apiVersion as string) === true) return;
  throw errors.wrongApiVersion(
    `the apiVersion of the object (${show(apiVersion)}) does not match that of the path (${JSON.stringify(expected.apiVersion)})`,
    {
      withoutValues: `the apiVersion of the object does not match that of the path (${JSON.stringify(expected.apiVersion)})`,
      // An exact number has no string: it is an object without a prototype.
      unrecognized: typeof apiVersion === 'string' ? apiVersion : '',
    },
  );
}

const show = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : `a value that is not a string`;
