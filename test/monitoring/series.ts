import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@orch/machinery/yaml';

export const root = join(import.meta.dirname, '..', '..');

export interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly annotations?: { readonly runbook?: string };
}

/** The rules of `deploy/prometheus`. */
export const rules: readonly Rule[] = ['recording', 'alerts'].flatMap((name) => {
  const text = readFileSync(join(root, 'deploy/prometheus/rules', `${name}.yaml`));
  const file = parseYaml(text) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
  return file.groups.flatMap((group) => group.rules);
});

const recorded = new Set(rules.flatMap(({ record }) => record ?? []));

/** Families whose names are composed, and those of the library for process and runtime metrics. */
const composed =
  /^(apiserver_flowcontrol_|apiserver_envelope_encryption_|apiserver_storage_(data|envelope|transformation)_|apiserver_delegated_|apiserver_(?:authentication|authorization|encryption)_config_controller_|apiserver_authorization_(?:match_condition|webhook)_|authentication_token_cache_|nodejs_|process_)/;
const suffix = /_(bucket|count|sum)$/;

/** Names of series in an expression: not functions, keywords, labels or durations. */
function seriesIn(expr: string): readonly string[] {
  const withoutLabels = expr.replace(/\{[^}]*\}/g, '').replace(/\b(by|without|on)\s*\([^)]*\)/g, '');
  return [...withoutLabels.matchAll(/[a-z][a-z0-9]*(?:[_:][a-z0-9:]+)+(?!\w*\s*\()/g)].map(([name]) => name);
}

/** Series of expressions that no program exposes and no rule records. */
export function unknownSeries(expressions: readonly string[]): readonly string[] {
  const sources = globSync('packages/*/src/**/*.ts', { cwd: root })
    .filter((name) => !name.includes('.test.') && !name.includes('/testing/'))
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n');
  const isKnown = (name: string): boolean =>
    recorded.has(name) ||
    composed.test(name) ||
    sources.includes(`'${name}'`) ||
    sources.includes(`'${name.replace(suffix, '')}'`);
  return [...new Set(expressions.flatMap(seriesIn).filter((name) => !isKnown(name)))];
}
