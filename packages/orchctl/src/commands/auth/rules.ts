import { asObjects, asStrings, asText, type JsonObject, statusOf } from '@orch/machinery';
import type { Io } from '../../io.ts';
import { columnText } from '../../print/columns.ts';
import { createReview } from '../../session/create-review.ts';
import type { Session } from '../../session/session.ts';

/** A rule of one resource, or of one URL. */
interface Rule {
  readonly group: string;
  readonly resource: string;
  readonly resourceName: string;
  readonly url: string;
  readonly verbs: readonly string[];
}

/** Prints the rules of the user in the namespace of the session, one row for each resource and name. */
export async function listRules(
  session: Session,
  io: Io,
  { hasHeader, signal }: { readonly hasHeader: boolean; readonly signal: AbortSignal },
): Promise<number> {
  const spec = { namespace: session.namespace };
  const review = { group: 'authorization', kind: 'SelfSubjectRulesReview', spec } as const;
  const status = statusOf(await createReview(session, review, signal));
  if (status['incomplete'] === true)
    io.err.write(`warning: the list may be incomplete: ${asText(status['evaluationError'])}\n`);
  const rules = [
    ...joinedByResource(asObjects(status['resourceRules']).flatMap(resourceRules)),
    ...asObjects(status['nonResourceRules']).flatMap(urlRules),
  ];
  const rows = rules.toSorted((a, b) => (sortText(a) < sortText(b) ? -1 : 1)).map(rowOf);
  const header = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];
  io.out.write(columnText(hasHeader ? [header, ...rows] : rows));
  return 0;
}

const resourceRules = (rule: JsonObject): readonly Rule[] => {
  const names = asStrings(rule['resourceNames']);
  return asStrings(rule['apiGroups']).flatMap((group) =>
    asStrings(rule['resources']).flatMap((resource) =>
      (names.length === 0 ? [''] : names).map((resourceName) => ({
        ...{ group, resource, resourceName },
        url: '',
        verbs: asStrings(rule['verbs']),
      })),
    ),
  );
};

const urlRules = (rule: JsonObject): readonly Rule[] =>
  asStrings(rule['nonResourceURLs']).flatMap((url) =>
    asStrings(rule['verbs']).map((verb) => ({ ...noResource, url, verbs: [verb] })),
  );

const noResource = { group: '', resource: '', resourceName: '' } as const;

/** One rule for each resource and name, with the verbs of all rules in order. */
function joinedByResource(rules: readonly Rule[]): readonly Rule[] {
  const joined = Map.groupBy(rules, ({ group, resource, resourceName }) =>
    JSON.stringify([group, resource, resourceName]),
  );
  return [...joined.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, verbs: same.flatMap(({ verbs }) => verbs) }];
  });
}

const listText = (texts: readonly string[]): string => `[${texts.join(' ')}]`;
const single = (text: string): readonly string[] => (text === '' ? [] : [text]);

/** The order of kubectl: by the text of the rule, verbs first. */
const sortText = ({ verbs, group, resource, resourceName, url }: Rule): string =>
  [verbs, resource === '' ? [] : [group], single(resource), single(resourceName), single(url)]
    .map(listText)
    .join(',');

const rowOf = ({ group, resource, resourceName, url, verbs }: Rule): readonly string[] => {
  const [base = '', subresource] = resource.split('/', 2);
  const suffix = subresource === undefined ? '' : `/${subresource}`;
  return [
    `${base}${group === '' ? '' : `.${group}`}${suffix}`,
    listText(single(url)),
    listText(single(resourceName)),
    listText(verbs),
  ];
};
