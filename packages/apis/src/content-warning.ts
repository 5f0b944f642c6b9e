import type { StrategyContext } from './resource-type.ts';

/** What the warnings of a release depend on. */
export type WarningContext = Pick<StrategyContext, 'names' | 'since'>;

/** Longest part of a text that the limit counts, and the length of all texts that a reply has room for. */
const COUNTED = 256;
const ENOUGH = 4096;

/**
 * Collects different warnings until a reply has no room for more. The warnings about a list may be as many as its pairs:
 * who looks for them stops when they are enough.
 */
export class WarningCollector {
  readonly #texts = new Set<string>();
  #length = 0;

  get isFull(): boolean {
    return this.#length >= ENOUGH;
  }

  get texts(): readonly string[] {
    return [...this.#texts];
  }

  add(text: string): void {
    if (this.isFull || this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#length += Math.min(text.length, COUNTED);
  }

  addAll(texts: readonly string[]): void {
    for (const text of texts) this.add(text);
  }
}

const MAX_LABEL = 63;

/** The message of a format, whose examples the warnings of the reference separate by two spaces. */
export const formatMessage = (message: string): string => message.replaceAll("', or '", "',  or '");

/** What is wrong with a name, which is a valid DNS subdomain, as a DNS label. */
const labelProblems = (name: string): readonly string[] => [
  ...(name.length > MAX_LABEL ? [`must be no more than ${MAX_LABEL} characters`] : []),
  ...(name.includes('.') ? ['must not contain dots'] : []),
];

/** Warns of the name of a new object that becomes a part of host names. */
export function hostNameWarnings(
  name: string,
  use: string,
  since: WarningContext['since'],
): readonly string[] {
  const problems = since('1.27') ? labelProblems(name) : [];
  return problems.length === 0
    ? []
    : [
        `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
      ];
}
