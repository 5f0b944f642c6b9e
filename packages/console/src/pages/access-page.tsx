import { operationOf, questionOf } from '../access/operation.ts';
import { readOwnRules } from '../access/read-access.ts';
import { explainAccess } from '../api/why.ts';
import { AccessForm } from '../parts/access-form.tsx';
import { ExplanationText } from '../parts/causes.tsx';
import { Failure } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { WhoCan } from '../parts/who-can.tsx';
import type { ToolProps } from './tool.ts';

/** Explains the permissions of the user, and lists the other users who have them. */
export function AccessPage(props: ToolProps) {
  const { view, go, kinds } = props;
  const { question = {} } = view;
  const operation = operationOf(question);
  const isComplete = (question['verb'] ?? '') !== '' && (question['resource'] ?? '') !== '';
  return (
    <main class="page object" aria-labelledby="title">
      <header>
        <h1 id="title">Permissions</h1>
      </header>
      <AccessForm {...{ question, kinds }} onAsk={(asked) => go({ question: asked })} />
      {isComplete ? (
        <Decision {...props} />
      ) : (
        <p>Name a verb and a resource to ask who may do it, and whether you may.</p>
      )}
      {operation === undefined ? null : <WhoCan {...props} operation={operation} />}
      <OwnRules {...props} />
    </main>
  );
}

/** The decision about an operation, with the rules and bindings behind it. */
function Decision({ session: { connection }, kinds, view: { question = {} } }: ToolProps) {
  const asked = questionOf(question);
  const answer = useAnswer(JSON.stringify(asked), (signal) => explainAccess(connection, asked, signal));
  const isAnswered = answer.kind === 'found' && answer.value !== undefined;
  const who = (question['user'] ?? '') === '' ? 'You' : question['user'];
  return (
    <section aria-labelledby="decision-title">
      <h2 id="decision-title">Decision</h2>
      {isAnswered ? (
        <p role="status">
          <strong class={answer.value?.isAllowed === true ? 'good' : 'bad'}>
            {answer.value?.isAllowed === true ? `${who} may do this.` : `${who} may not do this.`}
          </strong>
        </p>
      ) : null}
      <ExplanationText {...{ kinds, answer }} />
    </section>
  );
}

/** The rules that apply to the user in a namespace. */
function OwnRules({ session: { connection, names }, view: { question = {} } }: ToolProps) {
  const namespace = question['namespace'] ?? '';
  const answer = useAnswer(namespace, (signal) => readOwnRules({ connection, names, namespace }, signal));
  return (
    <section aria-labelledby="own-title" id="own">
      <h2 id="own-title">{`What you may do in the namespace ${namespace || 'default'}`}</h2>
      {answer.kind === 'waiting' ? <p role="status">The server is asked.</p> : null}
      {answer.kind === 'failed' ? <Failure problem={answer.problem} /> : null}
      {answer.kind === 'found' ? (
        <>
          {answer.value.isIncomplete ? <p>There may be more: an authorizer cannot list its rules.</p> : null}
          <ul class="causes">
            {answer.value.rules.map(({ verbs, objects, resourceNames }, place) => (
              <li key={place}>
                <strong>{verbs.join(', ')}</strong>
                {` of ${objects.join(', ')}${resourceNames.length === 0 ? '' : ` named ${resourceNames.join(', ')}`}`}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}
