import type { DiscoveredResource } from '@orch/client';
import { listFlag, UsageError } from '@orch/program/flags';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import type { Session } from '../../session/session.ts';
import { section, textsFlag } from './generator.ts';

/** Flags that describe rules about resources. */
export const ruleFlags = {
  verb: listFlag({ name: 'verb', help: 'A verb; may be repeated.', section }),
  resource: listFlag({
    name: 'resource',
    help: 'A resource: RESOURCE[.GROUP][/SUBRESOURCE]; may be repeated.',
    section,
  }),
  resourceName: textsFlag({
    name: 'resource-name',
    help: 'The name of an object; may be repeated.',
    section,
  }),
} as const;

export interface RuleValues {
  readonly verb: readonly string[];
  readonly resource: readonly string[];
  readonly resourceName: readonly string[];
}

const standardVerbs: ReadonlySet<string> = new Set(
  '* get delete list create update patch watch proxy deletecollection use bind escalate impersonate'.split(
    ' ',
  ),
);

export const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/** The verbs of a rule: all of them, or the wildcard alone. */
export const verbsOf = ({ verb }: RuleValues): readonly string[] =>
  verb.includes('*') ? ['*'] : unique(verb);

/** Reports verbs that no resource is known to have. */
export function warnAboutVerbs(verbs: readonly string[], io: Io): void {
  for (const verb of verbs)
    if (!standardVerbs.has(verb)) io.err.write(`Warning: '${verb}' is not a standard resource verb\n`);
}

/** One rule for each group of the resources, sorted by group. Rejects with a CommandError for unknown resources. */
export async function resourceRules(values: RuleValues, session: Session): Promise<readonly object[]> {
  const verbs = verbsOf(values);
  const byGroup = new Map<string, string[]>();
  for (const text of wanted(values.resource)) {
    const { group, name } = await resolved(text, verbs, session);
    const listed = byGroup.get(group) ?? [];
    if (!listed.includes(name)) byGroup.set(group, [...listed, name]);
  }
  const resourceNames = unique(values.resourceName);
  return [...byGroup]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, resources]) => ({
      ...{ apiGroups: [group], resources, verbs },
      ...(resourceNames.length > 0 && { resourceNames }),
    }));
}

/** A wildcard stands for all resources that are named beside it. */
const wanted = (resources: readonly string[]): readonly string[] =>
  resources.includes('*') ? ['*'] : resources;

interface ResolvedResource {
  readonly group: string;
  /** With its subresource. */
  readonly name: string;
}

async function resolved(text: string, verbs: readonly string[], session: Session): Promise<ResolvedResource> {
  const slash = text.indexOf('/');
  const subresource = slash < 0 ? '' : text.slice(slash);
  const base = slash < 0 ? text : text.slice(0, slash);
  const [plural = '', ...groupParts] = base.split('.');
  if (plural === '') throw new UsageError('resource must be specified if apiGroup/subresource specified');
  const group = groupParts.join('.');
  if (plural === '*') return { group, name: `*${subresource}` };
  const found = await find(base, session);
  const isSpecial = checkSpecialVerbs(verbs, found ?? { resource: plural, group }, session);
  if (found === undefined && !isSpecial)
    throw new CommandError(
      `the server doesn't have a resource type ${JSON.stringify(plural)}${group === '' ? '' : ` in group ${JSON.stringify(group)}`}`,
    );
  return { group: found?.group ?? group, name: `${found?.resource ?? plural}${subresource}` };
}

async function find(name: string, { resources }: Session): Promise<DiscoveredResource | undefined> {
  try {
    return await resources.named(name);
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

/** Throws for a verb that is for other resources; returns whether one is for this resource. */
function checkSpecialVerbs(
  verbs: readonly string[],
  { resource, group }: Pick<DiscoveredResource, 'resource' | 'group'>,
  { names }: Session,
): boolean {
  const roles = [`roles.${names.group('rbac')}`, `clusterroles.${names.group('rbac')}`];
  const special: Readonly<Record<string, readonly string[]>> = {
    use: ['podsecuritypolicies.policy', 'podsecuritypolicies.extensions'],
    bind: roles,
    escalate: roles,
    impersonate: ['users.', 'serviceaccounts.', 'groups.', `userextras.${names.group('authentication')}`],
  };
  const limited = verbs.filter((verb) => verb in special);
  const wrong = limited.find((verb) => special[verb]?.includes(`${resource}.${group}`) !== true);
  if (wrong !== undefined)
    throw new UsageError(`can not perform '${wrong}' on '${resource}' in group '${group}'`);
  return limited.length > 0;
}
