import { Failure } from './notice.tsx';
import type { ObjectFormProps } from './object-form.tsx';
import { useAnswer } from './use-answer.ts';

/** The form of an object, which is loaded when it is shown first. */
export function LazyForm(props: ObjectFormProps) {
  const answer = useAnswer('form', () => import('./object-form.tsx'));
  if (answer.kind === 'waiting') return <p role="status">The form is loaded.</p>;
  if (answer.kind === 'failed') return <Failure problem={answer.problem} />;
  const { ObjectForm } = answer.value;
  return <ObjectForm {...props} />;
}
