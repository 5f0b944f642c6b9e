import { pluginNames } from '@orch/admission';
import { besideOther, compared } from '../../lib/compared.ts';
import { type BenchContext, type Subject, withBody } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { configMapOf, podOf } from '../../lib/pods.ts';
import { continued } from '../../lib/repeat.ts';

/** Many short turns: load of the machine changes within seconds, and then affects a few turns only. */
const TURNS = 41;
/** The compiler works in the background for thousands of requests. */
const WARM_UP_TURNS = 10;
const WRITES = 1200;
const CONNECTIONS = 16;

interface Created {
  readonly what: string;
  readonly resource: string;
  readonly factor: number;
  body(index: number): Record<string, unknown>;
}

const created: readonly Created[] = [
  { what: 'pod', resource: 'pods', factor: 1.35, body: (index) => podOf(index) },
  {
    what: 'config map',
    resource: 'configmaps',
    factor: 1.03,
    body: (index) => configMapOf(`map-${index}`),
  },
];

/** Creations with the default admission plugins, beside a server without any. */
export async function admittedCreations(context: BenchContext): Promise<readonly BenchResult[]> {
  const [admitting, bare] = [
    await subjectOf(context, []),
    await subjectOf(context, [`--disable-admission-plugins=${pluginNames.join(',')}`]),
  ];
  const rows: BenchResult[] = [];
  for (const { what, resource, factor, body } of created) {
    const create = (subject: Subject) =>
      continued(subject, {
        connections: CONNECTIONS,
        count: WRITES,
        request: (index) =>
          withBody('POST', `/api/v1/namespaces/default/${resource}`, JSON.stringify(body(index))),
      });
    const runs = { admitted: create(admitting), bare: create(bare) };
    await compared(WARM_UP_TURNS, runs);
    const { admitted, bare: without } = await compared(TURNS, runs);
    const note = 'beside a server without admission plugins';
    rows.push(
      besideOther(
        { what: `CREATE of a ${what} with the default admission plugins`, unit: 'µs CPU', factor, note },
        admitted,
        without,
      ),
    );
  }
  return rows;
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
