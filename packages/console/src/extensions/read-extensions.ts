import { messageOf } from '@orch/machinery';
import { asObject, asObjects, type JsonObject } from '@orch/machinery/json';
import type { Connection } from '../api/connection.ts';
import type { Kinds } from '../api/discovery.ts';
import { type ExplainedRequest, explainRequests } from '../api/why.ts';
import { type Exposition, parseExposition } from '../health/exposition.ts';
import { type PolicyState, policiesOf, policySeries } from './policies.ts';
import { type WebhookState, webhookSeries, webhooksOf } from './webhooks.ts';

/** The webhooks and policies that decide about writes. */
export interface Extensions {
  readonly webhooks: readonly WebhookState[];
  readonly policies: readonly PolicyState[];
  /** The latest writes that webhooks and policies have refused. */
  readonly refused: readonly ExplainedRequest[];
  /** The parts that could not be read, with the reasons. */
  readonly unknown: ReadonlyMap<string, string>;
}

interface Reader {
  readonly connection: Connection;
  readonly kinds: Kinds;
  /** The group of the configurations. */
  readonly group: string;
}

/** Objects of a kind that are read; of more, the first ones. */
const MAX_OBJECTS = 500;

/** Reads webhooks and policies with their numbers. A part that the user may not read is among the unknown ones. */
export async function readExtensions(
  { connection, kinds, group }: Reader,
  signal: AbortSignal,
): Promise<Extensions> {
  const unknown = new Map<string, string>();
  const known = async <T>(title: string, absent: T, read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (problem) {
      if (signal.aborted) throw problem;
      unknown.set(title, messageOf(problem));
      return absent;
    }
  };
  const list = (resource: string): Promise<readonly JsonObject[]> => {
    const found = kinds.resources.find((each) => each.group === group && each.resource === resource);
    if (found === undefined) return Promise.resolve([]);
    const target = `/apis/${group}/${found.version}/${resource}?limit=${MAX_OBJECTS}`;
    return known(resource, [], async () =>
      asObjects(asObject(await connection.json({ target }, signal))['items']),
    );
  };
  const [metrics, refused, ...lists] = await Promise.all([
    known<Exposition>('numbers', new Map(), () => readMetrics(connection, signal)),
    known('refused writes', [], async () => (await explainRequests(connection, 'refused', signal)) ?? []),
    ...resources.map(list),
  ]);
  const [mutating = [], validating = [], policies = [], bindings = [], changing = [], changes = []] = lists;
  return {
    unknown,
    webhooks: [
      ...webhooksOf('MutatingWebhookConfiguration', mutating, metrics),
      ...webhooksOf('ValidatingWebhookConfiguration', validating, metrics),
    ],
    policies: [
      ...policiesOf('ValidatingAdmissionPolicy', { policies, bindings }, metrics),
      ...policiesOf('MutatingAdmissionPolicy', { policies: changing, bindings: changes }, metrics),
    ],
    refused: refused.filter(({ causes }) => causes.some(({ type }) => refusals.has(type))),
  };
}

const resources = [
  ...['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
  ...['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
  ...['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'],
] as const;

/** The types of causes that name a webhook or a policy. */
const refusals: ReadonlySet<string> = new Set(['Webhook', 'AdmissionPolicy']);

async function readMetrics(connection: Connection, signal: AbortSignal): Promise<Exposition> {
  const text = await connection.text({ target: '/metrics', accept: 'text/plain' }, signal);
  return parseExposition(text, new Set([...webhookSeries, ...policySeries]));
}
