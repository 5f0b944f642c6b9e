/** A part of a text. */
export interface TextPart {
  readonly text: string;
  /** Line of its first character, from 1. */
  readonly line: number;
}

/**
 * The documents of a YAML text: the parts between lines that start with `---`. A comment may follow on the same line; other
 * content stays in the document.
 */
export function yamlDocuments(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let [lines, first]: [string[], number] = [[], 1];
  text.split('\n').forEach((line, i) => {
    if (!/^---(?:\s|$)/.test(line)) {
      lines.push(line);
      return;
    }
    parts.push({ text: lines.join('\n'), line: first });
    lines = [line.slice(3)];
    first = i + 1;
  });
  parts.push({ text: lines.join('\n'), line: first });
  return parts;
}

/** Lines of a document before the first one with content. */
export function leadingLines(text: string): number {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !/^\s*(?:#.*)?$/.test(line));
  return Math.max(first, 0);
}
