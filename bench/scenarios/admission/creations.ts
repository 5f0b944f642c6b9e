import { pluginNames } from '@orch/admission';
import { besideOther, pooled, sideBySide } from '../../lib/compared.ts';
import { BenchContext, type Subject, withBody } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { configMapOf, podOf } from '../../lib/pods.ts';
import { continued } from '../../lib/repeat.ts';

/** Short turns: load of the machine changes within milliseconds. */
const WRITES = 64;
const CONNECTIONS = 16;
/** The compiler works in the background for thousands of requests. */
const WARM_UP_TURNS = 200;

interface Created {
  readonly what: string;
  readonly resource: string;
  readonly factor: number;
  /** Two processes with the same settings differ by about 1 %: a narrow target takes several pairs. */
  readonly pairs: number;
  readonly turns: number;
  body(index: number): Record<string, unknown>;
}

const created: readonly Created[] = [
  { what: 'pod', resource: 'pods', factor: 1.35, pairs: 1, turns: 400, body: (index) => podOf(index) },
  {
    what: 'config map',
    resource: 'configmaps',
    factor: 1.03,
    pairs: 4,
    turns: 600,
    body: (index) => configMapOf(`map-${index}`),
  },
];

/** Creations with the default admission plugins, beside a server without any. */
export async function admittedCreations(): Promise<readonly BenchResult[]> {
  const rows: BenchResult[] = [];
  for (const one of created) {
    const pairs = [await measuredPair(one), ...(await measuredPairs(one, one.pairs - 1))] as const;
    const { admitted, bare } = pooled(pairs);
    const { what, factor } = one;
    const note = 'beside a server without admission plugins, which is measured at the same time';
    rows.push(
      besideOther(
        { what: `CREATE of a ${what} with the default admission plugins`, unit: 'µs CPU', factor, note },
        admitted,
        bare,
      ),
    );
  }
  return rows;
}

async function measuredPairs(one: Created, count: number): Promise<readonly Pair[]> {
  const pairs: Pair[] = [];
  while (pairs.length < count) pairs.push(await measuredPair(one));
  return pairs;
}

type Pair = Awaited<ReturnType<typeof measuredPair>>;

/** One server with plugins and one without, which have stored nothing else. */
async function measuredPair({ resource, turns, body }: Created) {
  await using context = new BenchContext();
  const create = (subject: Subject) =>
    continued(subject, {
      connections: CONNECTIONS,
      count: WRITES,
      request: (index) =>
        withBody('POST', `/api/v1/namespaces/default/${resource}`, JSON.stringify(body(index))),
    });
  const runs = {
    admitted: create(await subjectOf(context, [])),
    bare: create(await subjectOf(context, [`--disable-admission-plugins=${pluginNames.join(',')}`])),
  };
  await sideBySide(WARM_UP_TURNS, runs);
  // The servers end when it is measured.
  return await sideBySide(turns, runs);
}

/** A server with the account that pods without one get. */
async function subjectOf(context: BenchContext, args: readonly string[]): Promise<Subject> {
  const subject = await context.serverEmbedded(args, { requiresAccounts: true });
  const { status, text } = await subject.server.client.post('/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  });
  if (status !== 201 && status !== 409) throw new Error(`service account: ${text}`);
  return subject;
}
