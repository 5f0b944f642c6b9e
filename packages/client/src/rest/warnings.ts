import { BoundedCache } from '@orch/machinery/bounded-cache';

/** A warning of the server in a response. */
export interface ServerWarning {
  readonly text: string;
  /** The request of the response. */
  readonly method: string;
  readonly target: string;
}

/** Maximum number of remembered warnings, each of which is reported once. */
const MAX_CACHED = 1000;
/** Maximum number of warnings of one response. */
const MAX_OF_ONE_ANSWER = 100;

const form = /(\d{3}) +(?:[^\s"]+|"(?:[^"\\]|\\.)*") +"((?:[^"\\]|\\.)*)"(?: +"[^"]*")?(?:\s*,\s*|\s*$)/y;

/** A character of a header is a byte of its text. Text that is not UTF-8 stays as it is. */
function textOf(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(header, (byte) => byte.charCodeAt(0)),
    );
  } catch {
    return header;
  }
}

/** Texts with code 299 of a `Warning` header (RFC 7234 section 5.5), up to the first malformed one. */
function warningTexts(header: string): readonly string[] {
  const texts: string[] = [];
  form.lastIndex = 0;
  for (let i = 0; i < MAX_OF_ONE_ANSWER; i++) {
    const match = form.exec(header);
    if (match === null) break;
    const text = (match[2] ?? '').replace(/\\(.)/g, '$1');
    if (match[1] === '299' && text !== '') texts.push(text);
  }
  form.lastIndex = 0;
  return texts;
}

/** Reports every string once, among the last thousand. */
export class Warnings {
  readonly #seen = new BoundedCache<string, true>({ maxEntries: MAX_CACHED });
  readonly #notify: (warning: ServerWarning) => void;

  constructor(notify: (warning: ServerWarning) => void) {
    this.#notify = notify;
  }

  hear(header: string | undefined, method: string, target: string): void {
    if (header === undefined) return;
    for (const text of warningTexts(textOf(header))) {
      if (this.#seen.has(text)) continue;
      this.#seen.set(text, true);
      this.#notify({ text, method, target });
    }
  }
}
