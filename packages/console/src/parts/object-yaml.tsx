import { useEffect, useState } from 'preact/hooks';
import { type ObjectPlace, readYaml } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { KindFields } from './kind-fields.tsx';
import { LazyForm } from './lazy-form.tsx';
import { Failure } from './notice.tsx';
import { ObjectEditor } from './object-editor.tsx';
import { useSchema } from './use-schema.ts';

export interface ObjectYamlProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  /** The resourceVersion of the object. */
  readonly version: string;
  /** Whether it is shown as a form. */
  readonly isForm: boolean;
  readonly onForm: (isForm: boolean) => void;
}

/** Whether objects of a kind have values that are not shown before the user asks for them. */
export const isSecret = ({ group, resource }: ObjectPlace['resource']): boolean =>
  group === '' && resource === 'secrets';

/** The object as YAML or as a form. Values of secrets are not shown before the user asks for them. */
export function ObjectYaml(props: ObjectYamlProps) {
  const [isAskedFor, setAskedFor] = useState(!isSecret(props.place.resource));
  return (
    <section aria-labelledby="yaml-title">
      <h2 id="yaml-title">Object</h2>
      <KindFields session={props.session} place={props.place} />
      {isAskedFor ? (
        <ObjectText {...props} />
      ) : (
        <button type="button" onClick={() => setAskedFor(true)}>
          Show the values of the secret
        </button>
      )}
    </section>
  );
}

function ObjectText({ session, place, version, isForm, onForm }: ObjectYamlProps) {
  const { text, problem } = useYaml(session, place, version);
  const schema = useSchema(session.connection, place.resource);
  const [edited, setEdited] = useState<string>();
  const mayEdit = !session.isReadOnly && place.resource.verbs.includes('update');
  const choice = (
    <fieldset class="choices" aria-label="Show as">
      {[false, true].map((each) => (
        <label key={String(each)} class="choice">
          <input type="radio" name="shown-as" checked={isForm === each} onChange={() => onForm(each)} />
          <span>{each ? 'Form' : 'YAML'}</span>
        </label>
      ))}
    </fieldset>
  );
  if (edited !== undefined)
    return (
      <>
        {choice}
        <ObjectEditor {...{ session, place, isForm }} original={edited} onDone={() => setEdited(undefined)} />
      </>
    );
  if (problem !== undefined) return <Failure problem={problem} />;
  return (
    <>
      {choice}
      {mayEdit ? (
        <button type="button" disabled={text === ''} onClick={() => setEdited(text)}>
          Edit
        </button>
      ) : null}
      {isForm && text !== '' ? <LazyForm {...{ text, schema }} /> : <pre class="yaml">{text}</pre>}
    </>
  );
}

interface YamlState {
  readonly text: string;
  readonly problem?: unknown;
}

function useYaml(
  { connection }: PageSession,
  { resource, namespace, name }: ObjectPlace,
  version: string,
): YamlState {
  const [state, setState] = useState<YamlState>({ text: '' });
  useEffect(() => {
    const left = new AbortController();
    readYaml(connection, { resource, namespace, name }, left.signal).then(
      (text) => setState({ text }),
      (problem) => left.signal.aborted || setState({ text: '', problem }),
    );
    return () => left.abort();
  }, [connection, resource, namespace, name, version]);
  return state;
}
