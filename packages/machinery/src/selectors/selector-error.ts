/** A selector that cannot be read. The message contains the reason and the position. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SelectorError';
  }
}

/** Longest selector text that is read. Longer strings are rejected without parsing. */
const MAX_SELECTOR_LENGTH = 64 * 1024;

/** Text for an error message: quoted, and cut when it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 128 ? `${text.slice(0, 128)}…` : text);
}

export function checkLength(kind: 'label' | 'field', text: string): void {
  if (text.length > MAX_SELECTOR_LENGTH) {
    throw new SelectorError(
      `the ${kind} selector is ${text.length} characters long, more than ${MAX_SELECTOR_LENGTH}`,
    );
  }
}
