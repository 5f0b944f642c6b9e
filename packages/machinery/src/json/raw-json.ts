/** A number as text: `JSON.stringify` writes it unchanged. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** The functions of `JSON` for numbers as text, and the `stringify` that writes them. */
export interface RawJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
  stringify(value: unknown, replacer?: undefined, indent?: number): string | undefined;
}

/**
 * The functions for runtimes whose `JSON` has no numbers as text, such as Node 20. Such a number is encoded as a string that begins
 * with a random mark, which `stringify` takes away with the quotes.
 */
export function rawJsonSubstitute(): RawJson {
  // biome-ignore lint/plugin: the mark is a secret that no text contains, and the result does not depend on it.
  const mark = crypto.randomUUID();
  const marked = new RegExp(`"${mark}([^"]*)"`, 'g');
  const known = new WeakSet<object>();
  return {
    rawJSON(text) {
      if (!/^-?\d.*(?<!\s)$/.test(text) || typeof JSON.parse(text) !== 'number')
        throw new SyntaxError(`${JSON.stringify(text)} is not a JSON number`);
      const number = Object.create(null, {
        rawJSON: { value: text, enumerable: true },
        toJSON: { value: () => mark + text },
      }) as RawNumber;
      known.add(Object.freeze(number));
      return number;
    },
    isRawJSON: (value): value is RawNumber => known.has(value as object),
    stringify(value, _replacer, indent) {
      const text: string | undefined = JSON.stringify(value, undefined, indent);
      return text?.includes(mark) === true ? text.replace(marked, '$1') : text;
    },
  };
}

/** The functions of the runtime where it has them. */
export const rawJson: RawJson = 'rawJSON' in JSON ? (JSON as unknown as RawJson) : rawJsonSubstitute();
