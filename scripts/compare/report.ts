import type { Difference } from './differences.ts';
import type { Judgement } from './reasons.ts';

const SHOWN_LINES = 60;
const SHOWN_CHARACTERS = 160;

const shown = (value: unknown): string => {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
};

/** Lines by section; requests with the same difference share a line. */
export function reportLines(
  { unexplained, explained, unused }: Judgement,
  limit = SHOWN_LINES,
): readonly string[] {
  const sections = [...Map.groupBy(unexplained, ({ section }) => section)];
  return [
    ...sections.flatMap(([section, differences]) => sectionLines(section, differences, limit)),
    ...[...explained].map(([{ reason }, differences]) => `${differences.length} explained: ${reason}`),
    ...unused.map(({ pattern }) => `matches no difference: ${pattern.source}`),
    `${unexplained.length} differences without a reason, ${unused.length} reasons without a difference`,
  ];
}

function sectionLines(section: string, differences: readonly Difference[], limit: number): readonly string[] {
  const texts = Map.groupBy(
    differences,
    ({ path, reference, server }) => `${path}: reference ${shown(reference)}, this server ${shown(server)}`,
  );
  const lines = [...texts].map(([text, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `  ${text} (${first?.request}${more})`;
  });
  const rest = lines.length - limit;
  return [
    `${section}: ${differences.length} differences`,
    ...lines.slice(0, limit),
    ...(rest > 0 ? [`  … ${rest} more lines; --all prints them`] : []),
  ];
}
