import type { Kinds } from '../api/discovery.ts';
import type { Cause, CausePlace, Explanation } from '../api/why.ts';
import { addressOf, startView } from '../view/view.ts';
import { kindWord } from './kind-list.tsx';
import { Failure } from './notice.tsx';
import type { Answer } from './use-answer.ts';

export interface ExplanationTextProps {
  readonly kinds: Kinds;
  readonly answer: Answer<Explanation | undefined>;
}

/** An explanation of the server, or the reason why there is none. */
export function ExplanationText({ kinds, answer }: ExplanationTextProps) {
  switch (answer.kind) {
    case 'waiting':
      return <p role="status">The server is asked.</p>;
    case 'failed':
      return <Failure problem={answer.problem} />;
    case 'found':
      return answer.value === undefined ? (
        <p>This server does not explain.</p>
      ) : (
        <Causes kinds={kinds} causes={answer.value.causes} />
      );
  }
}

/** The parts of an explanation, the most important one first. */
export const Causes = ({ kinds, causes }: { readonly kinds: Kinds; readonly causes: readonly Cause[] }) => (
  <ul class="causes">
    {causes.map(({ type, message, where, remedy }) => (
      <li key={`${type} ${message}`}>
        <strong>{type}</strong> {message}
        {where === undefined ? null : (
          <>
            {' at '}
            <PlaceLink {...{ kinds, where }} />
          </>
        )}
        {remedy === '' ? null : <span class="quiet">{` (${remedy})`}</span>}
      </li>
    ))}
  </ul>
);

function PlaceLink({ kinds, where }: { readonly kinds: Kinds; readonly where: CausePlace }) {
  const { group, resource, namespace, name } = where;
  const known = kinds.resources.find((one) => one.group === group && one.resource === resource);
  const text = `${resource}${name === '' ? '' : `/${name}`}${namespace === '' ? '' : ` in ${namespace}`}`;
  if (known === undefined) return <>{text}</>;
  const view = { ...startView, kind: kindWord(known) };
  const address = addressOf(name === '' ? { ...view, namespace } : { ...view, object: { namespace, name } });
  return <a href={address}>{text}</a>;
}
