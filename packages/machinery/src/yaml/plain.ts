import { isJsonObject, type MutableJsonObject } from '../json/index.ts';

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** Deeper strings are left to the full parser, which has its limits. */
const MAX_DEPTH = 20;

const entryOf = /^([A-Za-z][\w./-]*):(?: +(.*))?$/;
/** A string under every version of YAML, unless it is one of the words below. */
const plainText = /^[A-Za-z/][\w./@+=%-]*(?::[\w./@+=%-]+)*$/;
const usualText = /^[\n -~]*$/;
const quotedText = /^"([ !#-[\]-~]*)"$/;
const reserved = /^(?:y|yes|n|no|on|off|true|false|null)$/i;

const words: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['', () => null],
  ['null', () => null],
  ['true', () => true],
  ['false', () => false],
  ['{}', () => ({})],
  ['[]', () => []],
]);

/**
 * The value of the simplest form of YAML, in which most client configurations are written: block mappings and sequences of words. Undefined for
 * every string in another form, also for an invalid one: the full parser, which takes far longer to load, reads those.
 */
export function parsePlainYaml(text: string): unknown {
  // The full parser knows all line breaks and spaces, and reports where a string is not UTF-8.
  if (!usualText.test(text)) return undefined;
  const lines: Line[] = [];
  for (const line of text.split('\n')) {
    const content = line.trimStart();
    if (content === '' || content.startsWith('#')) continue;
    if (line.trimEnd() !== line || !/^ *[^\s]/.test(line)) return undefined;
    lines.push({ indent: line.length - content.length, text: content });
  }
  const reader = new PlainReader(lines);
  const value = reader.block(0);
  return reader.isComplete ? value : undefined;
}

class PlainReader {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  get isComplete(): boolean {
    return this.#at === this.#lines.length;
  }

  /** The mapping or sequence that begins at the current line; undefined in another form. */
  block(depth: number): unknown {
    const first = this.#lines[this.#at];
    if (first === undefined || depth > MAX_DEPTH) return undefined;
    return first.text.startsWith('- ')
      ? this.#sequence(first.indent, depth)
      : this.#mapping(first.indent, depth);
  }

  #mapping(indent: number, depth: number): MutableJsonObject | undefined {
    const fields: MutableJsonObject = {};
    for (let line = this.#here(indent); line !== undefined; line = this.#here(indent)) {
      const [, name, rest = ''] = entryOf.exec(line.text) ?? [];
      if (name === undefined || Object.hasOwn(fields, name) || reserved.test(name)) return undefined;
      this.#at += 1;
      const value = rest === '' ? this.#below(indent, depth) : scalarOf(rest);
      if (value === undefined) return undefined;
      fields[name] = value;
    }
    return fields;
  }

  /** The value of a field without text on its line: a block further in, a sequence at the same place, or nothing. */
  #below(indent: number, depth: number): unknown {
    const next = this.#lines[this.#at];
    if (next === undefined) return null;
    const isInside = next.indent > indent || (next.indent === indent && next.text.startsWith('- '));
    return isInside ? this.block(depth + 1) : null;
  }

  #sequence(indent: number, depth: number): unknown[] | undefined {
    const items: unknown[] = [];
    for (let line = this.#here(indent); line?.text.startsWith('- ') === true; line = this.#here(indent)) {
      const content = line.text.slice(2).trimStart();
      const isBlock = entryOf.test(content);
      if (isBlock)
        this.#lines[this.#at] = { indent: indent + line.text.length - content.length, text: content };
      else this.#at += 1;
      const item = isBlock ? this.block(depth + 1) : scalarOf(content);
      if (item === undefined || (!isBlock && isJsonObject(item))) return undefined;
      items.push(item);
    }
    return items;
  }

  #here(indent: number): Line | undefined {
    const line = this.#lines[this.#at];
    return line?.indent === indent ? line : undefined;
  }
}

function scalarOf(text: string): unknown {
  const word = words.get(text);
  if (word !== undefined) return word();
  if (plainText.test(text)) return reserved.test(text) ? undefined : text;
  return quotedText.exec(text)?.[1];
}
