import type { ObjectMeta } from '@orch/machinery';
import type { WarningContext } from '../../content-warning.ts';

interface Named {
  readonly metadata: ObjectMeta;
}

/** Warns of a name that only configurations in files have. */
export function reservedNameWarnings(
  { metadata: { name = '' } }: Named,
  old: Named | undefined,
  { names, since }: WarningContext,
): readonly string[] {
  const suffix = names.nameSuffixes.staticConfig;
  const isRefused = old === undefined && since('1.37', 'ManifestBasedAdmissionControlConfig');
  return since('1.36') && !isRefused && name.endsWith(suffix)
    ? [
        `metadata.name: names ending with "${suffix}" are reserved for static manifest-based configurations and cannot be managed via the API`,
      ]
    : [];
}

/** The resources that webhooks do not receive, by their group. */
const excludedIn = ({ names }: WarningContext): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map([
    [names.groups.authentication, new Set(['selfsubjectreviews', 'tokenreviews'])],
    [
      names.groups.authorization,
      new Set([
        'localsubjectaccessreviews',
        'selfsubjectaccessreviews',
        'selfsubjectrulesreviews',
        'subjectaccessreviews',
      ]),
    ],
  ]);

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
}

/** Warns of rules that name resources which webhooks do not receive. */
function ruleWarnings(path: string, rule: Rule, context: WarningContext): readonly string[] {
  const groups = new Set(rule.apiGroups);
  const resources = new Set(rule.resources);
  if (groups.has('*') || resources.has('*')) return [];
  return [...excludedIn(context)].flatMap(([group, excluded]) =>
    (groups.has(group) ? [...excluded] : [])
      .filter((resource) => resources.has(resource))
      .map(
        (resource) =>
          `${path}: ${resource}.${group} is excluded from admission webhooks; this rule will have no effect`,
      ),
  );
}

interface Configuration extends Named {
  readonly webhooks?: readonly { readonly rules?: readonly Rule[] }[];
}

/** Warns of a configuration of webhooks. */
export const webhookWarnings = (
  next: Configuration,
  old: Configuration | undefined,
  context: WarningContext,
): readonly string[] => [
  ...reservedNameWarnings(next, old, context),
  ...(context.since('1.37', 'ExcludeAdmissionWebhookVirtualResources')
    ? (next.webhooks ?? []).flatMap(({ rules = [] }, i) =>
        rules.flatMap((rule, j) => ruleWarnings(`webhooks[${i}].rules[${j}]`, rule, context)),
      )
    : []),
];
