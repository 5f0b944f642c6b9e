import type { DiscoveredResource } from '@orch/client';

/** An entry of the palette. */
export interface Command {
  readonly title: string;
  /** Other words that match the command, in lower case. */
  readonly words: string;
  /** The kind or page that it shows. */
  readonly word: string;
}

/** Commands that are offered at one time. */
const MAX_OFFERED = 12;

/** The commands that show a kind. */
export const kindCommands = (
  resources: readonly DiscoveredResource[],
  wordOf: (resource: DiscoveredResource) => string,
): readonly Command[] =>
  resources
    .filter(({ verbs }) => verbs.includes('list'))
    .map((one) => ({
      title: wordOf(one),
      words: [one.kind, one.group, ...one.shortNames].join(' ').toLowerCase(),
      word: wordOf(one),
    }));

/** The commands that match a text: those that begin with it, then those that contain all its words. */
export function offered(commands: readonly Command[], text: string): readonly Command[] {
  const sought = text.trim().toLowerCase();
  const words = sought.split(/\s+/);
  const rank = ({ title, words: more }: Command): number => {
    const name = title.toLowerCase();
    if (name === sought || more.split(' ').includes(sought)) return 0;
    if (name.startsWith(sought)) return 1;
    return words.every((word) => name.includes(word) || more.includes(word)) ? 2 : 3;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((each) => each.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_OFFERED)
    .map(({ command }) => command);
}
