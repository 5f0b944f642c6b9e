import type { ApiObject } from '@orch/machinery';
import type { Kinds } from '../api/discovery.ts';
import type { ObjectPlace } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { explainObject } from '../api/why.ts';
import { ExplanationText } from './causes.tsx';
import type { PartOpening } from './part-opening.ts';
import { useAnswer } from './use-answer.ts';

export interface ObjectWhyProps {
  readonly session: PageSession;
  readonly kinds: Kinds;
  readonly place: ObjectPlace;
}

/** Why an object is still there: of a terminating one at once, of others when the user asks. */
export function ObjectWhy({
  object,
  part,
  ...props
}: ObjectWhyProps & { readonly object: ApiObject; readonly part: PartOpening }) {
  const { deletionTimestamp, resourceVersion = '' } = object.metadata;
  return (
    <section aria-labelledby="why-title">
      <h2 id="why-title">Why it is there</h2>
      {deletionTimestamp === undefined ? null : (
        <p class="failure" role="status">
          The object is being deleted.
        </p>
      )}
      {deletionTimestamp !== undefined || part.isOpen ? (
        <WhyText {...props} version={resourceVersion} />
      ) : (
        <button type="button" onClick={() => part.set(true)}>
          Explain
        </button>
      )}
    </section>
  );
}

/** `version`: asked again when it changes. */
function WhyText({
  session: { connection },
  kinds,
  place,
  version,
}: ObjectWhyProps & { readonly version: string }) {
  const question = questionOf(place);
  const answer = useAnswer(
    JSON.stringify([question, version]),
    (signal) => explainObject(connection, question, signal),
    { keepsEarlier: true },
  );
  return <ExplanationText {...{ kinds, answer }} />;
}

/** The user and the request that wrote the value of a field. */
export function FieldWhy({
  session: { connection },
  kinds,
  place,
  field,
}: ObjectWhyProps & { readonly field: string }) {
  const question = { ...questionOf(place), field: `.${field}` };
  const answer = useAnswer(JSON.stringify(question), (signal) => explainObject(connection, question, signal));
  const value = answer.kind === 'found' ? (answer.value?.value ?? '') : '';
  return (
    <div class="answer" role="status">
      {value === '' ? null : <code>{value}</code>}
      <ExplanationText {...{ kinds, answer }} />
    </div>
  );
}

const questionOf = ({ resource: { group, resource }, namespace, name }: ObjectPlace) => ({
  ...{ group, resource, namespace, name },
});
