import { readRoles } from '../access/read-access.ts';
import { type Operation, type RolePlace, whoCan } from '../access/who-can.ts';
import type { Kinds } from '../api/discovery.ts';
import type { PageSession } from '../api/session.ts';
import { addressOf, startView } from '../view/view.ts';
import { kindWord } from './kind-list.tsx';
import { Failure } from './notice.tsx';
import { useAnswer } from './use-answer.ts';

export interface WhoCanProps {
  readonly session: PageSession;
  readonly kinds: Kinds;
  readonly operation: Operation;
}

/** Grants that are shown. */
const MAX_GRANTS = 200;

/** The subjects to whom a role allows an operation, with the role and the binding. */
export function WhoCan({ session: { connection, names }, kinds, operation }: WhoCanProps) {
  const answer = useAnswer(JSON.stringify(operation), async (signal) =>
    whoCan(operation, await readRoles({ connection, names, namespace: operation.namespace }, signal)),
  );
  const grants = answer.kind === 'found' ? answer.value : [];
  return (
    <section aria-labelledby="who-title" id="who">
      <h2 id="who-title">Who may do this by a role</h2>
      {answer.kind === 'waiting' ? <p role="status">Roles and bindings are read.</p> : null}
      {answer.kind === 'failed' ? <Failure problem={answer.problem} /> : null}
      {answer.kind === 'found' && grants.length === 0 ? <p>Nobody.</p> : null}
      <ul class="causes">
        {grants.slice(0, MAX_GRANTS).map(({ subject, role, binding }) => (
          <li key={JSON.stringify([subject, role, binding])}>
            <strong>{subject}</strong> by <RoleLink kinds={kinds} place={role} /> and{' '}
            <RoleLink kinds={kinds} place={binding} />
          </li>
        ))}
      </ul>
      {grants.length > MAX_GRANTS ? <p>{`${grants.length - MAX_GRANTS} more are not shown.`}</p> : null}
    </section>
  );
}

function RoleLink({ kinds, place }: { readonly kinds: Kinds; readonly place: RolePlace }) {
  const { kind, namespace, name } = place;
  const resource = kinds.resources.find((one) => one.kind === kind && one.verbs.includes('list'));
  const text = `${kind} ${name}`;
  if (resource === undefined) return <>{text}</>;
  return (
    <a href={addressOf({ ...startView, kind: kindWord(resource), object: { namespace, name } })}>{text}</a>
  );
}
