import { Composer, type Document, isScalar, Lexer, type ParsedNode, Parser } from 'yaml';
import {
  asBuffer,
  findDuplicateKeys,
  JsonSyntaxError,
  MAX_JSON_DEPTH,
  parseJson,
  utf8Text,
} from '../json/index.ts';
import { YamlConverter, type YamlProblem } from './convert.ts';
import { parseUsualYaml } from './parse-events.ts';
import { YamlSyntaxError } from './syntax-error.ts';

export interface ParseYamlOptions {
  /** Levels of mappings and sequences, after aliases are expanded; default 500. */
  readonly maxDepth?: number;
  /** Bytes of input that is not JSON; default 1.5 MiB. */
  readonly maxBytes?: number;
  /** Rough size of the value with every alias written out, in characters; default 16 Mi. */
  readonly maxExpandedSize?: number;
  /** Called with the path of each key that occurs again in its mapping; the last one counts. */
  readonly onDuplicateKey?: (path: string) => void;
}

/**
 * The maximum size of a stored object. Reading YAML takes up to a microsecond per byte, so a higher limit would permit
 * denial of service.
 */
const DEFAULT_MAX_BYTES = 1536 * 1024;
const DEFAULT_MAX_EXPANDED = 16 * 1024 * 1024;
/** Maximum number of documents without content around the one with content. */
const MAX_DOCUMENTS = 100;

/**
 * Reads one YAML document as JSON data, in the same way as other tools (YAML 1.1): `0644` is 420, `yes` and `on` are
 * true, dates stay text, `<<` merges, keys become text, and of duplicate keys the last counts. Numbers are as exact as
 * in `parseJson`. JSON is read by the JSON reader. An empty document is `null`.
 *
 * Throws a YamlSyntaxError with line and column: malformed, several documents, values that JSON does not have, or
 * beyond a limit of depth, size or alias expansion.
 */
export function parseYaml(bytes: Uint8Array, options: ParseYamlOptions = {}): unknown {
  const buffer = asBuffer(bytes);
  if (looksLikeJson(buffer)) {
    const found = tryJson(buffer, options);
    if (found !== undefined) return found.value;
  }
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  const start = { line: 1, column: 1 };
  if (buffer.length > maxBytes) {
    throw new YamlSyntaxError(`more than ${maxBytes} bytes of YAML`, start, 'limit');
  }
  const read = utf8Text(buffer);
  if (read === undefined) throw new YamlSyntaxError('invalid UTF-8', start);
  const text = withLineFeeds(read);
  const maxDepth = options.maxDepth ?? MAX_JSON_DEPTH;
  const maxExpandedSize = options.maxExpandedSize ?? DEFAULT_MAX_EXPANDED;
  const usual = parseUsualYaml(text, { maxDepth, maxExpandedSize });
  return usual === undefined ? parseFullYaml(text, options) : usual.value;
}

/** A carriage return alone ends a line, too, which the parsers do not know. In values all line breaks are line feeds. */
const withLineFeeds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;

/** True when the first character that is not a space opens an object or array. */
function looksLikeJson(buffer: Buffer): boolean {
  for (const byte of buffer) {
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
    return byte === 0x7b || byte === 0x5b;
  }
  return false;
}

function tryJson(buffer: Buffer, options: ParseYamlOptions): { value: unknown } | undefined {
  try {
    const value = parseJson(buffer, { finite: true, maxDepth: options.maxDepth ?? MAX_JSON_DEPTH });
    const { onDuplicateKey } = options;
    if (onDuplicateKey !== undefined) findDuplicateKeys(buffer).forEach((path) => void onDuplicateKey(path));
    return { value };
  } catch (error) {
    // A flow mapping of YAML may start like JSON without being JSON: then the YAML parser decides.
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** Reads text in every form of YAML; `parseYaml` gives the same results faster. */
export function parseFullYaml(text: string, options: ParseYamlOptions = {}): unknown {
  const maxDepth = options.maxDepth ?? MAX_JSON_DEPTH;
  const fail = (problem: string, offset: number, kind: 'syntax' | 'limit' = 'syntax'): never => {
    throw new YamlSyntaxError(problem, positionAt(text, offset), kind);
  };
  const document = onlyDocument(text, maxDepth, fail);
  if (document === undefined) return null;
  const converter = new YamlConverter({
    maxDepth,
    maxExpandedSize: options.maxExpandedSize ?? DEFAULT_MAX_EXPANDED,
    onDuplicateKey: options.onDuplicateKey ?? (() => {}),
    fail,
  });
  return converter.convert(document.contents);
}

const isEmpty = (document: Document.Parsed<ParsedNode>): boolean => {
  const { contents, errors } = document;
  if (errors.length > 0) return false;
  if (contents === null) return true;
  return (
    isScalar(contents) && contents.source === '' && contents.type === 'PLAIN' && contents.tag === undefined
  );
};

/** The one document of the text that has content; undefined when none has. */
function onlyDocument(
  text: string,
  maxDepth: number,
  fail: YamlProblem,
): Document.Parsed<ParsedNode> | undefined {
  const composer = new Composer<ParsedNode>({
    version: '1.1',
    schema: 'failsafe',
    merge: false,
    uniqueKeys: false,
  });
  failAtFirstError(composer, fail);
  let found: Document.Parsed<ParsedNode> | undefined;
  let count = 0;
  for (const document of composer.compose(boundedTokens(text, maxDepth, fail), true, text.length)) {
    const [error] = document.errors;
    if (error !== undefined) fail(describe(error.message), error.pos[0]);
    if (++count > MAX_DOCUMENTS) fail(`more than ${MAX_DOCUMENTS} documents`, document.range[0], 'limit');
    if (isEmpty(document)) continue;
    if (found !== undefined) fail('more than one document: send one object at a time', document.range[0]);
    found = document;
  }
  return found;
}

/** Positions of an error come as an offset, a pair or range of offsets, or a token that has one. */
type ErrorSource = number | readonly [number, number, ...number[]] | { readonly offset: number };

const errorOffset = (source: ErrorSource): number =>
  typeof source === 'number' ? source : 'offset' in source ? source.offset : source[0];

/**
 * The composer continues after an error and keeps each with a stack trace: a megabyte of commas would take seconds. Its
 * handler is private, so the errors of the documents are checked as well.
 */
function failAtFirstError(composer: object, fail: YamlProblem): void {
  let failed: { readonly error: unknown } | undefined;
  const onError = (source: ErrorSource, code: string, message: string, warning?: boolean): void => {
    // An error that is thrown here passes through handlers that report it again, as exhausted resources.
    if (failed !== undefined) throw failed.error;
    if (warning === true) return;
    try {
      fail(code === 'RESOURCE_EXHAUSTION' ? 'too complex' : describe(message), errorOffset(source));
    } catch (error) {
      failed = { error };
      throw error;
    }
  };
  Object.assign(composer, { onError });
}

const describe = (message: string): string => {
  const [first = ''] = message.split('\n');
  return first.length > 300 ? `${first.slice(0, 300)}…` : first;
};

/** Tokens of the text. The composer is recursive, so nesting is bounded here, where it is not. */
function* boundedTokens(text: string, maxDepth: number, fail: YamlProblem): Generator<Token> {
  const parser = new Parser();
  // The parser's stack contains the document, its open collections, and the scalar that is being read.
  const maxStack = maxDepth + 2;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') fail(describe(token.message), token.offset);
      yield token;
    }
    if (parser.stack.length > maxStack)
      fail(`nested more than ${maxDepth} levels deep`, parser.offset, 'limit');
  }
  yield* parser.end();
}

type Token = ReturnType<Parser['end']> extends Generator<infer T, void> ? T : never;

/** Line and column, from 1, of an offset in UTF-16 units. */
function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  let line = 1;
  for (let i = before.indexOf('\n'); i >= 0; i = before.indexOf('\n', i + 1)) line++;
  return { line, column: before.length - lastBreak };
}
