/** A possible word at the cursor. */
export interface Candidate {
  readonly word: string;
  readonly description?: string;
}

/** The possible words at the cursor. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether the shell completes names of files instead, when there are no candidates. */
  readonly withFiles?: boolean;
  /** Whether the word continues after the candidate, as after `TYPE/`. */
  readonly continues?: boolean;
}

export const nothing: Completion = { candidates: [] };

export const words = (all: Iterable<string>): Completion => ({
  candidates: [...all].map((word) => ({ word })),
});

/**
 * Words that every shell takes literally. Names come from servers and files: a word with other characters could run as
 * part of the command line, or change what the terminal shows, and is omitted.
 */
const plainWord = /^[\w./:@%+,=-]+$/;

/** The completion as text for the scripts: a line for each candidate, with its description behind a tab, then the directive. */
export function completionText({ candidates, withFiles, continues }: Completion, current: string): string {
  const lines = candidates
    .filter(({ word }) => plainWord.test(word) && word.startsWith(current))
    .map(({ word, description }) => (description === undefined ? word : `${word}\t${description}`));
  const directive = withFiles === true ? 'files' : continues === true ? 'continues' : 'words';
  return `${[...lines, `:${directive}`].join('\n')}\n`;
}
