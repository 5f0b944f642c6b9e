/** A warning that the server gave with an answer. */
export interface ServerWarning {
  readonly text: string;
  /** The request that it came with. */
  readonly method: string;
  readonly target: string;
}

/** Texts that are remembered, so that each is told once. */
const maxRemembered = 1000;
/** Warnings of one answer that are looked at. */
const maxOfOneAnswer = 100;

const form = /(\d{3}) +(?:[^\s"]+|"(?:[^"\\]|\\.)*") +"((?:[^"\\]|\\.)*)"(?: +"[^"]*")?(?:\s*,\s*|\s*$)/y;

/** Texts of the warnings with code 299 in a `Warning` header (RFC 7234 section 5.5); what is not well formed ends the reading. */
export function warningTexts(header: string): readonly string[] {
  const texts: string[] = [];
  form.lastIndex = 0;
  for (let i = 0; i < maxOfOneAnswer; i++) {
    const match = form.exec(header);
    if (match === null) break;
    const text = (match[2] ?? '').replace(/\\(.)/g, '$1');
    if (match[1] === '299' && text !== '') texts.push(text);
  }
  form.lastIndex = 0;
  return texts;
}

/** Tells every warning once; the oldest are forgotten beyond a thousand. */
export class Warnings {
  readonly #seen = new Set<string>();
  readonly #tell: (warning: ServerWarning) => void;

  constructor(tell: (warning: ServerWarning) => void) {
    this.#tell = tell;
  }

  hear(header: string | undefined, method: string, target: string): void {
    if (header === undefined) return;
    for (const text of warningTexts(header)) {
      if (this.#seen.has(text)) continue;
      const [oldest] = this.#seen;
      if (this.#seen.size >= maxRemembered && oldest !== undefined) this.#seen.delete(oldest);
      this.#seen.add(text);
      this.#tell({ text, method, target });
    }
  }
}
