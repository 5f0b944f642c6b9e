import type { ApiObject } from '@orch/machinery';
import type { Kinds } from '../api/discovery.ts';
import { conditionsOf, ownersOf, type Reference, statusFacts } from '../object/facts.ts';
import { durationText } from '../view/durations.ts';
import { addressOf, startView } from '../view/view.ts';
import { kindWord } from './kind-list.tsx';

interface ObjectProps {
  readonly object: ApiObject;
}

interface TimedProps extends ObjectProps {
  readonly nowMs: number;
}

/** How long ago, with the time itself for the pointer. */
export const Ago = ({ ms, nowMs }: { readonly ms: number; readonly nowMs: number }) =>
  ms === 0 ? null : (
    <time dateTime={new Date(ms).toISOString()} title={new Date(ms).toISOString()}>
      {durationText(nowMs - ms)}
    </time>
  );

/** Names and values. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [string, string])[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

export function StatusFacts({ object }: ObjectProps) {
  const facts = statusFacts(object);
  if (facts.length === 0) return null;
  return (
    <section aria-labelledby="status-title">
      <h2 id="status-title">Status</h2>
      <Facts facts={facts} />
    </section>
  );
}

export function Conditions({ object, nowMs }: TimedProps) {
  const conditions = conditionsOf(object);
  if (conditions.length === 0) return null;
  return (
    <section aria-labelledby="conditions-title">
      <h2 id="conditions-title">Conditions</h2>
      <table class="wide">
        <thead>
          <tr>
            {['Condition', 'Status', 'Reason', 'Message', 'Since'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {conditions.map(({ type, status, reason, message, sinceMs }) => (
            <tr key={type}>
              <th scope="row">{type}</th>
              <td>{status}</td>
              <td>{reason}</td>
              <td>{message}</td>
              <td>
                <Ago ms={sinceMs} nowMs={nowMs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Metadata({ object, kinds, nowMs }: TimedProps & { readonly kinds: Kinds }) {
  const { metadata } = object;
  const owners = ownersOf(object);
  const facts = Object.entries({
    uid: metadata.uid,
    generation: metadata.generation,
    resourceVersion: metadata.resourceVersion,
    finalizers: metadata.finalizers?.join(', '),
  }).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as const],
  );
  return (
    <section aria-labelledby="metadata-title">
      <h2 id="metadata-title">Metadata</h2>
      <p>
        Created <Ago ms={Date.parse(metadata.creationTimestamp ?? '') || 0} nowMs={nowMs} /> ago
      </p>
      {owners.map((owner) => (
        <p key={owner.uid}>
          {owner.isController ? 'Controlled by ' : 'Owned by '}
          <OwnerLink {...{ owner, kinds }} namespace={metadata.namespace ?? ''} />
        </p>
      ))}
      <Facts facts={facts} />
      <Pairs title="Labels" pairs={metadata.labels ?? {}} />
      <Pairs title="Annotations" pairs={metadata.annotations ?? {}} />
    </section>
  );
}

function OwnerLink({
  owner,
  kinds,
  namespace,
}: {
  readonly owner: Reference;
  readonly kinds: Kinds;
  readonly namespace: string;
}) {
  const group = owner.apiVersion.includes('/') ? owner.apiVersion.split('/', 1)[0] : '';
  const resource = kinds.resources.find((one) => one.kind === owner.kind && one.group === group);
  const text = `${owner.kind} ${owner.name}`;
  if (resource === undefined) return <>{text}</>;
  const object = { namespace: resource.namespaced ? namespace : '', name: owner.name };
  return <a href={addressOf({ ...startView, kind: kindWord(resource), object })}>{text}</a>;
}

const Pairs = ({
  title,
  pairs,
}: {
  readonly title: string;
  readonly pairs: Readonly<Record<string, string>>;
}) =>
  Object.keys(pairs).length === 0 ? null : (
    <details open={title === 'Labels'}>
      <summary>{title}</summary>
      <Facts facts={Object.entries(pairs)} />
    </details>
  );
