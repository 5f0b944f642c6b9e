import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RbacPolicy, rbacAuthorizer } from '@orch/auth';
import { MemoryObjectSource } from '@orch/auth/testing';
import { namesFor } from '@orch/machinery';
import { type BenchContext, type Subject, withBody, withoutBody } from '../lib/context.ts';
import { type BenchResult, type Measured, measure } from '../lib/measure.ts';
import { drive, type RawTarget } from '../lib/raw-client.ts';

const names = namesFor('kubernetes');
const group = names.group('rbac');
const ROLES = 1000;
const BINDINGS = 10_000;
const robot = (index: number): string => `robot-${index % 500}`;
const TOKEN = 'bench-token-of-the-first-robot';

/** A role of ten rules for resources that do not exist; every tenth role also grants reading config maps. */
const roleOf = (index: number): object => ({
  kind: 'ClusterRole',
  apiVersion: `${group}/v1`,
  metadata: { name: `role-${index}` },
  rules: [
    ...Array.from({ length: 9 }, (_, rule) => ({
      verbs: ['get', 'list', 'watch', 'update'],
      apiGroups: [`g${rule}.example.com`],
      resources: [`things-${index}`, `things-${index}/status`],
    })),
    { verbs: ['get', 'list'], apiGroups: [''], resources: index % 10 === 0 ? ['configmaps'] : ['secrets'] },
  ],
});

/** Twenty bindings for each of 500 service accounts, in twenty namespaces, and some for groups. */
const bindingOf = (index: number, namespace: string): object => ({
  kind: 'RoleBinding',
  apiVersion: `${group}/v1`,
  metadata: { name: `binding-${index}`, namespace },
  roleRef: { apiGroup: group, kind: 'ClusterRole', name: `role-${(index * 7) % ROLES}` },
  subjects: [
    { kind: 'ServiceAccount', name: robot(index), namespace: 'default' },
    { kind: 'Group', apiGroup: group, name: `team-${index % 100}` },
  ],
});

/** A user without cached decisions. */
const stranger = (index: number) => ({
  name: `${names.users.serviceAccountPrefix}default:${robot(index)}`,
  uid: '',
  groups: [
    names.userGroups.serviceAccounts,
    `${names.userGroups.serviceAccountsPrefix}default`,
    names.userGroups.authenticated,
    `team-${index % 100}`,
  ],
  extra: {},
});

/** Uncached decisions, in this process. */
function coldDecision(): BenchResult {
  const source = new MemoryObjectSource();
  const authorizer = rbacAuthorizer(new RbacPolicy(source, names), names);
  for (let index = 0; index < ROLES; index++) source.put('clusterroles.rbac', roleOf(index) as never);
  for (let index = 0; index < BINDINGS; index++)
    source.put('rolebindings.rbac', bindingOf(index, `ns-${index % 20}`) as never);
  const { signal } = new AbortController();
  const decide = (index: number) =>
    authorizer.authorize(
      {
        user: stranger(index),
        isResource: true,
        verb: 'delete',
        group: '',
        version: 'v1',
        resource: 'configmaps',
        subresource: '',
        namespace: `ns-${index % 20}`,
        name: 'one',
      },
      { signal },
    );
  for (let index = 0; index < 2000; index++) decide(index);
  const count = 20_000;
  const started = process.cpuUsage();
  for (let index = 0; index < count; index++) decide(index);
  const { user, system } = process.cpuUsage(started);
  return {
    what: `RBAC: an uncached denial, ${BINDINGS} bindings, ${ROLES} roles`,
    unit: 'µs CPU',
    value: (user + system) / count,
    target: 50,
    onReference: true,
    note: 'all rules of the user are examined',
  };
}

async function seed({ target }: Subject): Promise<void> {
  const base = `/apis/${group}/v1`;
  const all = function* (): Generator<Buffer> {
    for (let index = 0; index < ROLES; index++)
      yield withBody('POST', `${base}/clusterroles`, JSON.stringify(roleOf(index)));
    for (let index = 0; index < BINDINGS; index++)
      yield withBody(
        'POST',
        `${base}/namespaces/default/rolebindings`,
        JSON.stringify(bindingOf(index, 'default')),
      );
    yield withBody(
      'POST',
      '/api/v1/namespaces/default/configmaps',
      JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one' }, data: { a: 'b' } }),
    );
  };
  const requests = all();
  const statuses = await drive(target, 32, () => {
    const { value, done } = requests.next();
    return done === true ? undefined : value;
  });
  if (statuses.get(201) !== ROLES + BINDINGS + 1)
    throw new Error(`seeding roles: ${JSON.stringify([...statuses])}`);
}

/**
 * Additional cost of authenticating and authorizing a service account, relative to a GET with an administrator's
 * certificate.
 */
async function addedToGet(context: BenchContext): Promise<BenchResult> {
  const tokens = join(context.folder, 'tokens.csv');
  const { name, groups } = stranger(0);
  writeFileSync(tokens, `${TOKEN},${name},1,"${groups.join(',')}"\n`);
  const subject = await context.serverEmbedded([`--token-auth-file=${tokens}`, '--authorization-mode=RBAC']);
  await seed(subject);
  const path = '/api/v1/namespaces/default/configmaps/one?resourceVersion=0';
  const { host, port } = subject.target;
  const [byCertificate, byToken] = await inTurns([
    () => repeat(subject, subject.target, withoutBody(path)),
    () => repeat(subject, { host, port }, withoutBody(path, `Authorization: Bearer ${TOKEN}\r\n`)),
  ]);
  return {
    what: `GET by a service account, ${BINDINGS} bindings: cost of authentication and authorization`,
    unit: 'µs CPU',
    value: byToken - byCertificate,
    target: 15,
    onReference: true,
    note: `${byToken.toFixed(1)} µs against ${byCertificate.toFixed(1)} µs by an administrator's certificate`,
  };
}

async function repeat({ pid }: Subject, target: RawTarget, request: Buffer): Promise<Measured> {
  const count = 20_000;
  let left = count;
  return measure(pid, async () => {
    const statuses = await drive(target, 16, () => (left-- > 0 ? request : undefined));
    if (statuses.get(200) !== count) throw new Error(`answers: ${JSON.stringify([...statuses])}`);
    return count;
  });
}

/** The best of several alternating rounds of each, so that other load on the machine affects both. */
async function inTurns(
  runs: readonly [() => Promise<Measured>, () => Promise<Measured>],
): Promise<[number, number]> {
  let best: [number, number] = [Infinity, Infinity];
  for (let round = 0; round < 4; round++) {
    const first = await runs[0]();
    const second = await runs[1]();
    best = [Math.min(best[0], first.cpuPerOp), Math.min(best[1], second.cpuPerOp)];
  }
  return best;
}

/** The cost of authentication and authorization. */
export async function auth(context: BenchContext): Promise<readonly BenchResult[]> {
  return [coldDecision(), await addedToGet(context)];
}
