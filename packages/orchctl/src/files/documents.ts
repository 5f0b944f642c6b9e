import { messageOf } from '@orch/machinery';
import { isJsonObject, type JsonObject, JsonSyntaxError, parseJson } from '@orch/machinery/json';
import { leadingLines, parseYaml, type TextPart, YamlSyntaxError, yamlDocuments } from '@orch/machinery/yaml';
import { CommandError } from '../command-error.ts';
import { jsonValues } from './json-values.ts';

/** The position of a document. */
export interface DocumentPlace {
  /** The path as given; `STDIN` for standard input. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** An object of a file. */
export interface FileDocument {
  readonly object: JsonObject;
  readonly place: DocumentPlace;
  /** The text of the document, with comments. */
  readonly text: string;
}

/** Maximum size of one document: several times the maximum size of a stored object. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/**
 * The objects in the text of a file: YAML or JSON, documents separated by `---`. Empty documents are skipped, and lists are
 * replaced by their items. Throws a CommandError with file and line.
 */
export function readDocuments(text: string, file: string): readonly FileDocument[] {
  const normalized = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  return yamlDocuments(normalized).flatMap((part) => documentsIn(part, file));
}

function documentsIn(part: TextPart, file: string): readonly FileDocument[] {
  const { text, line } = part;
  const values = jsonValues(part);
  if (values.length > 1) return values.flatMap((one) => documentsIn(one, file));
  const value = parsed(text, { file, line });
  if (value === null || value === undefined) return [];
  const place = { file, line: line + leadingLines(text) };
  if (!isJsonObject(value))
    throw new CommandError(`${file}:${place.line}: the document is not an object with apiVersion and kind`);
  return itemsOf(value).map((object) => ({ object, place, text }));
}

/** The items of a `List`, or of a list of a kind; otherwise the object. */
function itemsOf(value: JsonObject): readonly JsonObject[] {
  const { kind, items } = value;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [value];
  return items.filter((item): item is JsonObject => isJsonObject(item)).flatMap(itemsOf);
}

/**
 * Throws for JSON with a number beyond the range of a double, which most clients cannot read. In YAML such a scalar is
 * a string, as for other YAML parsers.
 */
function refuseHugeNumbers(text: string, file: string, line: number): void {
  if (!/^\s*[{[]/.test(text)) return;
  const bytes = Buffer.from(text);
  let isExact = false;
  try {
    parseJson(bytes, { onExactNumbers: () => (isExact = true) });
  } catch {
    // YAML that begins like JSON.
    return;
  }
  if (!isExact) return;
  try {
    parseJson(bytes, { finite: true });
  } catch (cause) {
    const before = cause instanceof JsonSyntaxError ? bytes.subarray(0, cause.offset) : '';
    const at = line + String(before).split('\n').length - 1;
    throw new CommandError(`${file}:${at}: ${messageOf(cause)}`, { cause });
  }
}

function parsed(text: string, { file, line }: DocumentPlace): unknown {
  refuseHugeNumbers(text, file, line);
  try {
    return parseYaml(Buffer.from(text), { maxBytes: MAX_DOCUMENT_BYTES });
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    const place = `${file}:${line + error.line - 1}:${error.column}`;
    throw new CommandError(`${place}: ${error.problem}${templateHint(text)}`, { cause: error });
  }
}

/** What a reader of a template is to do, for text with its actions; otherwise nothing. */
const templateHint = (text: string): string =>
  text.includes('{{')
    ? ': the document has template actions, {{ }}: render the templates of a chart first, as in helm template NAME CHART | orchctl COMMAND -f -'
    : '';
