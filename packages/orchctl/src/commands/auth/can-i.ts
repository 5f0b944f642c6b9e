import type { kinds } from '@orch/client';
import { asObjects, asText, type JsonObject, statusOf } from '@orch/machinery/json';
import { type FlagValues, switchFlag, textFlag, UsageError } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { allNamespacesFlag } from '../../cli/flag-sets.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { columnText } from '../../print/columns.ts';
import { ruleRows, ruleTitles } from '../../resources/policy-rules.ts';
import { createReview } from '../../session/create-review.ts';
import type { Session } from '../../session/session.ts';

const section = 'Flags';

const flags = {
  ...allNamespacesFlag,
  list: switchFlag({ name: 'list', help: 'List all actions that are allowed.', section }),
  noHeaders: switchFlag({ name: 'no-headers', help: 'Print no header.', section }),
  quiet: switchFlag({
    name: 'quiet',
    short: 'q',
    help: 'Print nothing; the exit status is the answer.',
    section,
  }),
  subresource: textFlag({ name: 'subresource', help: 'A subresource such as log or scale.', section }),
} as const;

export const canI = command({
  usage: 'auth can-i VERB (TYPE | TYPE/NAME | URL) [flags]',
  about:
    'Asks the server whether an action is allowed: the answer is yes or no, and the exit status of no is 1. A word that starts with / is a URL that is not about resources. --list prints all actions that are allowed in a namespace.',
  examples: [
    { comment: 'Pods in all namespaces', line: 'orchctl auth can-i create pods --all-namespaces' },
    {
      comment: 'As a service account',
      line: 'orchctl auth can-i list pods --as=system:serviceaccount:dev:foo -n prod',
    },
    { comment: 'A subresource', line: 'orchctl auth can-i get pods --subresource=log' },
    { comment: 'A URL', line: 'orchctl auth can-i get /metrics' },
    { comment: 'Everything that is allowed', line: 'orchctl auth can-i --list' },
  ],
  flags,
  async run(invocation) {
    const { flags: given, words, io, signal } = invocation;
    if (given.list) {
      if (words.length > 0) throw new UsageError('list option must be specified with no arguments');
      return listRules(await invocation.session(), io, { hasHeader: !given.noHeaders, signal });
    }
    const session = await invocation.session();
    const spec = await accessOf(invocation, session);
    const review = { group: 'authorization', kind: 'SelfSubjectAccessReview', spec } as const;
    const status = statusOf(await createReview(session, review, signal));
    const isAllowed = status['allowed'] === true;
    if (!given.quiet) io.out.write(`${answerText(status)}\n`);
    return isAllowed ? 0 : 1;
  },
});

type Given = FlagValues<typeof flags>;

function answerText(status: JsonObject): string {
  if (status['allowed'] === true) return 'yes';
  const reasons = [asText(status['reason']), asText(status['evaluationError'])];
  return ['no', ...reasons.filter((reason) => reason !== '')].join(' - ');
}

/** The `spec` of the review that the words ask for. */
export async function accessOf(
  {
    flags: given,
    words,
    io,
  }: Pick<Invocation<Pick<Given, 'subresource' | 'allNamespaces'>>, 'flags' | 'words' | 'io'>,
  session: Session,
): Promise<JsonObject> {
  const [verb = '', what = '', ...more] = words;
  if (what === '' || more.length > 1)
    throw new UsageError('you must specify two arguments: verb resource or verb resource/resourceName');
  if (what.startsWith('/')) {
    if (given.subresource !== '')
      throw new UsageError('--subresource can not be used with a URL that is not about resources');
    if (more.length > 0) throw new UsageError('a URL takes no name');
    warnUnknown(verb, urlVerbs, io);
    return { nonResourceAttributes: { verb, path: what } };
  }
  const [type = '', slashedName = ''] = what.split('/', 2);
  if (slashedName !== '' && more.length > 0)
    throw new UsageError('the name must be given once: TYPE/NAME or TYPE NAME');
  const { group, resource, isNamespaced } = await resourceOf(type, session, io);
  warnUnknown(verb, resourceVerbs, io);
  if (!isNamespaced && !given.allNamespaces && type !== '*') warnScope(resource, group, io);
  const name = slashedName || (more[0] ?? '');
  return {
    resourceAttributes: {
      ...(!given.allNamespaces && { namespace: session.namespace }),
      ...{ verb, group, resource },
      ...(given.subresource !== '' && { subresource: given.subresource }),
      ...(name !== '' && { name }),
    },
  };
}

/**
 * The resource of an argument. Authorization accepts any resource: one that the server does not serve is used as given.
 */
async function resourceOf(
  type: string,
  { resources }: Session,
  io: Io,
): Promise<{ readonly group: string; readonly resource: string; readonly isNamespaced: boolean }> {
  if (type === '*') return { group: '*', resource: '*', isNamespaced: true };
  try {
    const { group, resource, namespaced } = await resources.named(type);
    return { group, resource, isNamespaced: namespaced };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const [resource = '', ...rest] = type.split('.');
    const group = rest.join('.');
    if (impersonated.has(resource)) return { group, resource, isNamespaced: true };
    const of = group === '' ? '' : ` in group '${group}'`;
    io.err.write(`Warning: the server doesn't have a resource type '${resource}'${of}\n\n`);
    return { group, resource, isNamespaced: true };
  }
}

/** Subjects of impersonation; no server serves them as resources. */
const impersonated: ReadonlySet<string> = new Set(['users', 'groups', 'uids', 'userextras']);

const urlVerbs: ReadonlySet<string> = new Set([
  ...['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*'],
]);
const resourceVerbs: ReadonlySet<string> = new Set([
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'use', 'bind'],
  ...['impersonate', '*', 'approve', 'sign', 'escalate', 'attest'],
]);

function warnUnknown(verb: string, known: ReadonlySet<string>, io: Io): void {
  if (!known.has(verb)) io.err.write(`Warning: verb '${verb}' is not a known verb\n\n`);
}

function warnScope(resource: string, group: string, io: Io): void {
  const of = group === '' ? '' : ` in group '${group}'`;
  io.err.write(`Warning: resource '${resource}' is not namespace scoped${of}\n\n`);
}

/** Prints the rules of the user in the namespace of the session, one row for each resource and name. */
async function listRules(
  session: Session,
  io: Io,
  { hasHeader, signal }: { readonly hasHeader: boolean; readonly signal: AbortSignal },
): Promise<number> {
  const spec = { namespace: session.namespace };
  const review = { group: 'authorization', kind: 'SelfSubjectRulesReview', spec } as const;
  const status = statusOf(await createReview(session, review, signal));
  if (status['incomplete'] === true)
    io.err.write(`warning: the list may be incomplete: ${asText(status['evaluationError'])}\n`);
  const rules = [...asObjects(status['resourceRules']), ...asObjects(status['nonResourceRules'])];
  const rows = ruleRows(rules as unknown as readonly kinds.rbac.PolicyRule[]);
  io.out.write(columnText(hasHeader ? [ruleTitles, ...rows] : rows));
  return 0;
}
