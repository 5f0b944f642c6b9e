import { namesFor } from '@orch/machinery';
import { compared, middle } from '../../lib/compared.ts';
import { type BenchContext, type Subject, withBody } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { configMapOf } from '../../lib/pods.ts';
import { continued } from '../../lib/repeat.ts';

const TURNS = 9;
const WARM_UP_TURNS = 8;
const WRITES = 640;
const CONNECTIONS = 16;

const POLICIES = 50;
const MATCHING = 5;
const RULES = 5;

/** Most CPU time that the policies may cost a write, µs. */
const TARGET = 150;

const root = `/apis/${namesFor('kubernetes').apiVersion('admissionregistration', 'v1')}`;

/** Creations of a config map that 5 of 50 policies with 5 rules each match, beside a server without policies. */
export async function matchingPolicies(context: BenchContext): Promise<readonly BenchResult[]> {
  const args = ['--runtime-config=api/all=true'];
  const [bound, bare] = [await context.serverEmbedded(args), await context.serverEmbedded(args)];
  await addPolicies(bound);
  const create = (subject: Subject) =>
    continued(subject, {
      connections: CONNECTIONS,
      count: WRITES,
      request: (index) =>
        withBody(
          'POST',
          '/api/v1/namespaces/default/configmaps',
          JSON.stringify(configMapOf(`map-${index}`)),
        ),
    });
  const runs = { bound: create(bound), bare: create(bare) };
  await compared(WARM_UP_TURNS, runs);
  const { bound: withPolicies, bare: without } = await compared(TURNS, runs);
  const differences = withPolicies.perTurn.map((cost, turn) => cost - (without.perTurn[turn] ?? Number.NaN));
  const value = middle(differences);
  return [
    {
      what: `CREATE of a config map with ${POLICIES} admission policies, ${MATCHING} of which match`,
      unit: 'µs CPU',
      value,
      floor: without.median,
      ratio: withPolicies.median / without.median,
      target: TARGET,
      note: `in addition to a server without policies; median of ${TURNS} turns, from ${Math.min(...differences).toFixed(0)} to ${Math.max(...differences).toFixed(0)}`,
    },
  ];
}

async function addPolicies({ server: { client } }: Subject): Promise<void> {
  for (let i = 0; i < POLICIES; i += 1) {
    const name = `policy-${i}`;
    const resources = [i < MATCHING ? 'configmaps' : 'secrets'];
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources };
    const validations = Array.from({ length: RULES }, (_, index) => ({
      expression: `!has(object.data) || object.data.all(key, key.size() < ${100 + index}) && object.metadata.name != 'forbidden-${index}'`,
    }));
    const answers = [
      await client.post(`${root}/validatingadmissionpolicies`, {
        metadata: { name },
        spec: { matchConstraints: { resourceRules: [rule] }, validations },
      }),
      await client.post(`${root}/validatingadmissionpolicybindings`, {
        metadata: { name },
        spec: { policyName: name, validationActions: ['Deny'] },
      }),
    ];
    for (const { status, text } of answers)
      if (status !== 201) throw new Error(`admission policies: ${text}`);
  }
}
