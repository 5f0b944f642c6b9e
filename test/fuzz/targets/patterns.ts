import { BudgetError, budgetOf, compilePattern } from '@orch/schema';
import { type FuzzTarget, unlessRefused } from '../target.ts';

/**
 * A pattern is refused with a problem, or decides on any text within a budget. The text follows the first line. The target
 * is asynchronous, because what a weak reference names is kept until the work that made the reference ends.
 */
export const target: FuzzTarget = {
  seeds: [
    '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$\nsome-name',
    '^(a|b)*c{2,5}?\\pL+[[:alpha:]]\\x{1F600}$\nababccc',
    '(?i)^(?P<year>\\d{4})-(?:\\d\\d)$\n2024-05',
    '((a*)*)*b\naaaaaaaaaaaaaaaaaaaaaaaa',
    '\\Q.*\\E|[^\\n]\n.*',
  ],
  words: ['{1,1000}', '(?:', '[[:', '\\p{', '(?i)', '\\x{', '*?'],
  async check(data) {
    const text = data.toString('utf8');
    const lineEnd = text.indexOf('\n');
    const pattern = compilePattern(lineEnd < 0 ? text : text.slice(0, lineEnd));
    if (typeof pattern === 'string') return;
    unlessRefused(() => pattern.matches(text.slice(lineEnd + 1), budgetOf(10_000_000)), BudgetError);
  },
};
