import { isJsonObject, type JsonObject, jsonEquals } from '@orch/machinery/json';
import { parseYaml, YamlSyntaxError } from '@orch/machinery/yaml';

/** The reason why a file is opened again. */
export interface EditReason {
  readonly text: string;
  readonly details: readonly string[];
}

const instructions = [
  '# Please edit the object below. Lines beginning with a "#" are ignored,',
  '# and an empty file cancels the edit. After an error this file is',
  '# opened again, with the error here.',
  '#',
];

/** The comment at the top of the file. A JSON file has one only after an error. */
export function headerOf(format: 'yaml' | 'json', reasons: readonly EditReason[]): readonly string[] {
  if (format === 'json' && reasons.length === 0) return [];
  return [...instructions, ...reasons.flatMap(reasonLines)];
}

const reasonLines = ({ text, details }: EditReason): readonly string[] => [
  `# ${oneLine(text)}${details.length > 0 ? ':' : ''}`,
  ...details.map((detail) => `# * ${oneLine(detail)}`),
  '#',
];

const oneLine = (text: string): string => text.replaceAll(/\s*[\r\n]+\s*/g, ' ');

/** The text without the header that it was opened with. Comments of the user remain, also those between lines of the header. */
export function withoutHeader(text: string, header: readonly string[]): string {
  const left = [...header];
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('#'));
  const kept = lines.slice(0, end < 0 ? lines.length : end).filter((line) => {
    const at = left.indexOf(line.trimEnd());
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...kept, ...(end < 0 ? [] : lines.slice(end))].join('\n');
}

/** Reports whether a string has anything but comments. */
export const hasContent = (text: string): boolean =>
  text.split('\n').some((line) => !/^\s*(?:#.*)?$/.test(line));

/** The objects of a file: one, or the items of a `List`. `problem`: what cannot be read. */
export type EditedObjects =
  | { readonly objects: readonly JsonObject[]; readonly problem?: undefined }
  | { readonly problem: string };

/** Maximum size of the file: that of several hundred objects. */
const MAX_BYTES = 256 * 1024 * 1024;

export function readObjects(text: string): EditedObjects {
  try {
    const value = parseYaml(Buffer.from(withoutCommentLines(text)), { maxBytes: MAX_BYTES });
    if (!isJsonObject(value)) return { problem: 'the file is not an object' };
    const { kind, items } = value;
    const objects = kind === 'List' && Array.isArray(items) ? items : [value];
    if (!objects.every(isJsonObject)) return { problem: 'an item of the list is not an object' };
    return { objects };
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    return { problem: `line ${error.line}, column ${error.column}: ${error.message}` };
  }
}

/** JSON has no comments. Numbers of lines stay as they are. */
const withoutCommentLines = (text: string): string =>
  /^\s*[{[]/.test(text.replaceAll(/^\s*#.*$/gm, '')) ? text.replaceAll(/^\s*#.*$/gm, '') : text;

/** Reports whether two strings have the same objects; texts that cannot be read, the same lines without comments. */
export function isSameContent(one: string, other: string): boolean {
  const [a, b] = [readObjects(one), readObjects(other)];
  if (a.problem === undefined && b.problem === undefined) return jsonEquals(a.objects, b.objects);
  const lines = (text: string): string => text.split('\n').filter(hasContent).join('\n');
  return lines(one) === lines(other);
}
