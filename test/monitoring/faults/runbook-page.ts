import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../series.ts';

/** The executable parts of a page of the runbook, in order. */
export interface RunbookPage {
  readonly cause: readonly string[];
  readonly diagnosis: readonly Command[];
  readonly remedy: readonly string[];
}

/** A block of shell commands, or a query for Prometheus. */
export interface Command {
  readonly language: 'sh' | 'promql';
  readonly text: string;
}

export function readRunbookPage(alert: string): RunbookPage {
  const page = readFileSync(join(root, 'docs/runbook', `${alert}.md`), 'utf8');
  const sections = new Map<string, readonly Command[]>();
  for (const section of page.split(/^## /m).slice(1)) {
    const heading = section.slice(0, section.indexOf('\n'));
    sections.set(heading, commandsOf(section));
  }
  const shell = (heading: string): readonly string[] =>
    (sections.get(heading) ?? []).map(({ language, text }) => {
      if (language !== 'sh') throw new Error(`${alert}: "${heading}" has a block of ${language}`);
      return text;
    });
  return {
    cause: shell('How to cause it'),
    diagnosis: sections.get('Diagnosis') ?? [],
    remedy: shell('Remedy'),
  };
}

const commandsOf = (section: string): readonly Command[] =>
  [...section.matchAll(/^ *```(sh|promql)\n([\s\S]*?)^ *```$/gm)].map(([, language, text]) => ({
    language: language === 'sh' ? 'sh' : 'promql',
    text: text ?? '',
  }));
