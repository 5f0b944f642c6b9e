import type { Names } from '@orch/machinery';
import type { Kinds } from '../api/discovery.ts';
import type { PolicyState } from '../extensions/policies.ts';
import { type Extensions, readExtensions } from '../extensions/read-extensions.ts';
import type { WebhookState } from '../extensions/webhooks.ts';
import { ExplainedRequestLine } from '../parts/explained-request.tsx';
import { kindWord } from '../parts/kind-list.tsx';
import { Failure } from '../parts/notice.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { numberText } from '../parts/trend.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useNow } from '../parts/use-now.ts';
import { addressOf, startView } from '../view/view.ts';
import type { ToolProps } from './tool.ts';

/** The webhooks and policies that decide about writes, with what they were called for and what they have refused. */
export function ExtensionsPage({ session: { connection, names }, kinds }: ToolProps) {
  const nowMs = useNow();
  const group = names.group('admissionregistration');
  const answer = useAnswer(`${nowMs}`, (signal) => readExtensions({ connection, kinds, group }, signal), {
    keepsEarlier: true,
  });
  return (
    <main class="page object" aria-labelledby="title">
      <header>
        <h1 id="title">Webhooks and policies</h1>
      </header>
      <p>
        What decides about writes besides the server. The numbers are those of the replica that answers, since
        its start. They are read again every ten seconds.
      </p>
      {answer.kind === 'waiting' ? <p role="status">The server is asked.</p> : null}
      {answer.kind === 'failed' ? <Failure problem={answer.problem} /> : null}
      {answer.kind === 'found' ? (
        <>
          <Unknown unknown={answer.value.unknown} />
          <Webhooks {...{ kinds, names }} webhooks={answer.value.webhooks} />
          <Policies {...{ kinds, names }} policies={answer.value.policies} />
          <Refused {...{ kinds, nowMs }} refused={answer.value.refused} />
        </>
      ) : null}
    </main>
  );
}

const Unknown = ({ unknown }: Pick<Extensions, 'unknown'>) =>
  unknown.size === 0 ? null : (
    <div class="failure" role="status">
      <p>Some of it is not known:</p>
      <ul>
        {[...unknown].map(([part, reason]) => (
          <li key={part}>{`${part}: ${reason}`}</li>
        ))}
      </ul>
    </div>
  );

interface PartProps {
  readonly kinds: Kinds;
  readonly names: Names;
}

const durationText = (seconds: number | undefined): string =>
  seconds === undefined ? '' : `≤ ${numberText(seconds * 1000)} ms`;

const Webhooks = ({ webhooks, ...props }: PartProps & Pick<Extensions, 'webhooks'>) => (
  <section aria-labelledby="webhooks-title">
    <h2 id="webhooks-title">Admission webhooks</h2>
    {webhooks.length === 0 ? (
      <p>No webhook is configured.</p>
    ) : (
      <PlainTable
        label="Webhooks"
        columns={[
          ...['Webhook', 'Configuration', 'Called for', 'On failure'],
          ...['Calls', 'Refused', 'Failed', 'Failure ignored', 'p99'],
        ]}
        rows={webhooks.map((webhook) => webhookRow(props, webhook))}
      />
    )}
  </section>
);

const webhookRow = (props: PartProps, webhook: WebhookState) => [
  webhook.name,
  <ObjectLink key="configuration" {...props} kind={webhook.kind} name={webhook.configuration} />,
  ...[webhook.rules.join('; '), webhook.failurePolicy === 'Ignore' ? 'the write continues' : 'it is refused'],
  ...[webhook.calls, webhook.refused, webhook.failed, webhook.ignored].map(String),
  durationText(webhook.p99Seconds),
];

const Policies = ({ policies, ...props }: PartProps & Pick<Extensions, 'policies'>) => (
  <section aria-labelledby="policies-title">
    <h2 id="policies-title">Admission policies</h2>
    {policies.length === 0 ? (
      <p>No policy is configured.</p>
    ) : (
      <PlainTable
        label="Policies"
        columns={['Policy', 'Kind', 'About', 'Bindings', 'Matched', 'Refused', 'Warned', 'Audited']}
        rows={policies.map((policy) => policyRow(props, policy))}
      />
    )}
  </section>
);

const policyRow = (props: PartProps, { kind, name, rules, bindings, ...counts }: PolicyState) => [
  name,
  <ObjectLink key="kind" {...props} {...{ kind, name }} text={kind} />,
  ...[rules.join('; '), bindings.length === 0 ? 'none: it does nothing' : bindings.join('; ')],
  String(counts.matched),
  ...(kind === 'ValidatingAdmissionPolicy'
    ? [counts.refused, counts.warned, counts.audited].map(String)
    : ['', '', '']),
];

interface ObjectLinkProps extends PartProps {
  readonly kind: string;
  readonly name: string;
  /** The name of the object when absent. */
  readonly text?: string;
}

function ObjectLink({ kinds, names, kind, name, text = name }: ObjectLinkProps) {
  const group = names.group('admissionregistration');
  const found = kinds.resources.find((one) => one.group === group && one.kind === kind);
  if (found === undefined) return <>{text}</>;
  const object = { namespace: '', name };
  return <a href={addressOf({ ...startView, kind: kindWord(found), object })}>{text}</a>;
}

interface RefusedProps extends Pick<Extensions, 'refused'> {
  readonly kinds: Kinds;
  readonly nowMs: number;
}

const Refused = ({ refused, kinds, nowMs }: RefusedProps) => (
  <section aria-labelledby="refused-title" id="refused">
    <h2 id="refused-title">Refused lately</h2>
    {refused.length === 0 ? <p>The server remembers no write that one of them has refused.</p> : null}
    {refused.map((request) => (
      <ExplainedRequestLine key={request.auditId} {...{ request, kinds, nowMs }} />
    ))}
  </section>
);
