/** A call of `describe`, `it` or `test` with its title, as it stands in the source. */
export interface Title {
  readonly line: number;
  readonly kind: 'suite' | 'test';
  readonly text: string;
}

const CALL =
  /(?<=^[ \t]*(?:await |return |void )?)(describe|it|test|t\.test)(?:\.(?:skip|only))?\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/gm;

/** Titles with a literal; those that a table or a variable supplies are not among them. */
export const titlesIn = (text: string): readonly Title[] =>
  [...text.matchAll(CALL)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    kind: match[1] === 'describe' ? 'suite' : 'test',
    text: (match[2] ?? '').slice(1, -1),
  }));

const MIN_WORDS = { suite: 2, test: 4 } as const;

/** Number of words; a `${…}` part counts as one, also with what stands beside it. */
const wordsIn = (title: string): number =>
  title
    .replace(/\$\{[^}]*\}/g, 'x')
    .trim()
    .split(/\s+/).length;

/** Titles that are too short to be understood in a flat list of failures. */
export const shortTitles = (text: string): readonly string[] =>
  titlesIn(text)
    .filter(({ kind, text: title }) => wordsIn(title) < MIN_WORDS[kind])
    .map(({ line, text: title }) => `${line}: ${title}`);

/** First words of a title without a subject: a verb, or a clause that describes the title of the suite. */
const WITHOUT_SUBJECT = new RegExp(
  `^(?:${[
    'is are was were has have does do may must can cannot that of it its they their',
    'accepts admits and cancels carry',
    'causes compacts connects contain continues counts cover disables distinguishes enables encode',
    'ends escapes exclude exist fails finds keeps lack leaves loses makes map never publish presents',
    'receives refuses registers rejects reports reserves respects restarts returns round-trip select',
    'serves shows suspends throws whose',
  ]
    .join(' ')
    .replaceAll(' ', '|')}) `,
);

/** Titles of tests that are sentences only together with the title of their suite. */
export const titlesWithoutSubject = (text: string): readonly string[] =>
  titlesIn(text)
    .filter(({ kind, text: title }) => kind === 'test' && WITHOUT_SUBJECT.test(title))
    .map(({ line, text: title }) => `${line}: ${title}`);
