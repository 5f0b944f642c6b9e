import type { kinds } from '@orch/client';

/** A rule of one verb, and one resource with at most one name or one URL. */
interface Single {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly resourceName: string;
  readonly url: string;
}

type Joined = Omit<Single, 'verb'> & { readonly verbs: readonly string[] };

/** The titles of the columns of `ruleRows`. */
export const ruleTitles: readonly string[] = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];

/**
 * Policy rules as rows: one for each resource and name with the verbs of all rules, and one for each URL and verb. In the order of
 * kubectl: by the text of the rule, verbs first.
 */
export const ruleRows = (rules: readonly kinds.rbac.PolicyRule[]): readonly (readonly string[])[] =>
  [...joinedByResource(rules.flatMap(resourceRules)), ...rules.flatMap(urlRules)]
    .toSorted((a, b) => (sortText(a) < sortText(b) ? -1 : 1))
    .map(rowOf);

function resourceRules({
  apiGroups,
  resources,
  resourceNames,
  verbs,
}: kinds.rbac.PolicyRule): readonly Single[] {
  const names = resourceNames ?? [];
  return (apiGroups ?? []).flatMap((group) =>
    (resources ?? []).flatMap((resource) =>
      verbs.flatMap((verb) =>
        (names.length === 0 ? [''] : names).map((resourceName) => ({
          verb,
          group,
          resource,
          resourceName,
          url: '',
        })),
      ),
    ),
  );
}

const urlRules = ({ nonResourceURLs, verbs }: kinds.rbac.PolicyRule): readonly Joined[] =>
  (nonResourceURLs ?? []).flatMap((url) =>
    verbs.map((verb) => ({ group: '', resource: '', resourceName: '', url, verbs: [verb] })),
  );

/** One rule for each resource and name, with the verbs of all rules in order. */
function joinedByResource(rules: readonly Single[]): readonly Joined[] {
  const joined = Map.groupBy(rules, ({ group, resource, resourceName }) =>
    JSON.stringify([group, resource, resourceName]),
  );
  return [...joined.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, verbs: [...new Set(same.map(({ verb }) => verb))] }];
  });
}

const listText = (texts: readonly string[]): string => `[${texts.join(' ')}]`;
const single = (text: string): readonly string[] => (text === '' ? [] : [text]);

const sortText = ({ verbs, group, resource, resourceName, url }: Joined): string =>
  [verbs, resource === '' ? [] : [group], single(resource), single(resourceName), single(url)]
    .map(listText)
    .join(',');

function rowOf({ group, resource, resourceName, url, verbs }: Joined): readonly string[] {
  const [base = '', subresource] = resource.split('/', 2);
  const suffix = subresource === undefined ? '' : `/${subresource}`;
  return [
    `${base}${group === '' ? '' : `.${group}`}${suffix}`,
    listText(single(url)),
    listText(single(resourceName)),
    listText(verbs),
  ];
}
