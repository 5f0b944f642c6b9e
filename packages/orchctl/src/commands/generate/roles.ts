import { listFlag, UsageError } from '@orch/program/flags';
import { type GeneratorInput, generator, newMetadata, section } from './generator.ts';
import { type RuleValues, resourceRules, ruleFlags, unique, verbsOf, warnAboutVerbs } from './role-rules.ts';

export const role = generator({
  usage: 'role NAME --verb=VERB --resource=RESOURCE[.GROUP][/SUBRESOURCE] [--resource-name=NAME] [flags]',
  about: 'Creates a role with a rule for each group of the resources.',
  examples: [
    {
      comment: 'Read pods',
      line: 'orchctl create role reader --verb=get,list,watch --resource=pods,pods/log',
    },
  ],
  flags: ruleFlags,
  isNamespaced: true,
  async build({ name, flags, io, session }) {
    const verbs = requireVerbs(flags);
    warnAboutVerbs(verbs, io);
    if (flags.resource.length === 0) throw new UsageError('at least one resource must be specified');
    const open = await session();
    const rules = await resourceRules(flags, open);
    const apiVersion = open.names.apiVersion('rbac', 'v1');
    return { apiVersion, kind: 'Role', metadata: newMetadata(name), rules };
  },
});

function requireVerbs(values: RuleValues): readonly string[] {
  if (values.verb.length === 0) throw new UsageError('at least one verb must be specified');
  return verbsOf(values);
}

const clusterRoleFlags = {
  ...ruleFlags,
  nonResourceUrl: listFlag({
    name: 'non-resource-url',
    help: 'A path of the server that is not a resource, such as /metrics; may be repeated.',
    section,
  }),
  aggregationRule: listFlag({
    name: 'aggregation-rule',
    help: 'Labels of the cluster roles whose rules are taken over: KEY=VALUE, separated by commas.',
    section,
  }),
} as const;

type ClusterRoleValues = RuleValues & {
  readonly nonResourceUrl: readonly string[];
  readonly aggregationRule: readonly string[];
};

export const clusterRole = generator({
  usage:
    'clusterrole NAME (--verb=VERB (--resource=RESOURCE | --non-resource-url=PATH) | --aggregation-rule=KEY=VALUE) [flags]',
  about: 'Creates a cluster role for resources and paths, or one that takes over the rules of others.',
  examples: [
    { comment: 'Read nodes', line: 'orchctl create clusterrole nodes --verb=get,list --resource=nodes' },
    { comment: 'A path', line: 'orchctl create clusterrole metrics --verb=get --non-resource-url=/metrics' },
    { comment: 'By label', line: 'orchctl create clusterrole all --aggregation-rule=team=a' },
  ],
  flags: clusterRoleFlags,
  isNamespaced: false,
  async build(input) {
    const { name, session, flags } = input;
    const labels = flags.aggregationRule;
    const body = labels.length > 0 ? aggregation(flags) : { rules: await clusterRules(input) };
    const apiVersion = (await session()).names.apiVersion('rbac', 'v1');
    return { apiVersion, kind: 'ClusterRole', metadata: newMetadata(name), ...body };
  },
});

function aggregation({ verb, resource, resourceName, nonResourceUrl, aggregationRule }: ClusterRoleValues) {
  if (verb.length + resource.length + resourceName.length + nonResourceUrl.length > 0)
    throw new UsageError(
      'aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames',
    );
  const pairs = aggregationRule.map((text) => {
    const [key = '', ...value] = text.split('=');
    if (key === '' || value.length === 0)
      throw new UsageError(`malformed pair, expect string=string: ${text}`);
    return [key, value.join('=')];
  });
  const clusterRoleSelectors = [{ matchLabels: Object.fromEntries(pairs) }];
  return { aggregationRule: { clusterRoleSelectors }, rules: null };
}

async function clusterRules({
  flags,
  io,
  session,
}: GeneratorInput<ClusterRoleValues>): Promise<readonly object[]> {
  const verbs = requireVerbs(flags);
  const urls = unique(flags.nonResourceUrl);
  if (flags.resource.length + urls.length === 0)
    throw new UsageError('one of resource or nonResourceURL must be specified');
  if (flags.resource.length > 0) warnAboutVerbs(verbs, io);
  checkUrls(urls, verbs);
  const rules = await resourceRules(flags, await session());
  return urls.length === 0 ? rules : [...rules, { nonResourceURLs: urls, verbs }];
}

const urlVerbs: ReadonlySet<string> = new Set('* get post put delete patch head options'.split(' '));

function checkUrls(urls: readonly string[], verbs: readonly string[]): void {
  const wrong = urls.length === 0 ? undefined : verbs.find((verb) => !urlVerbs.has(verb));
  if (wrong !== undefined) throw new UsageError(`invalid verb: '${wrong}' for nonResourceURL`);
  for (const url of urls) {
    if (url !== '*' && !url.startsWith('/')) throw new UsageError('nonResourceURL should start with /');
    if (url.slice(0, -1).includes('*'))
      throw new UsageError("nonResourceURL only supports wildcard matches when '*' is at the end");
  }
}
