import { useEffect, useState } from 'preact/hooks';
import { type ObjectPlace, readYaml } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { KindFields } from './kind-fields.tsx';
import { Failure } from './notice.tsx';
import { ObjectEditor } from './object-editor.tsx';

export interface ObjectYamlProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  /** The resourceVersion of the object. */
  readonly version: string;
}

/** The object as YAML. Values of secrets are not shown before the user asks for them. */
export function ObjectYaml(props: ObjectYamlProps) {
  const { group, resource } = props.place.resource;
  const isSecret = group === '' && resource === 'secrets';
  const [isAskedFor, setAskedFor] = useState(!isSecret);
  return (
    <section aria-labelledby="yaml-title">
      <h2 id="yaml-title">YAML</h2>
      <KindFields session={props.session} place={props.place} />
      {isAskedFor ? (
        <YamlText {...props} />
      ) : (
        <button type="button" onClick={() => setAskedFor(true)}>
          Show the values of the secret
        </button>
      )}
    </section>
  );
}

function YamlText({ session, place, version }: ObjectYamlProps) {
  const { text, problem } = useYaml(session, place, version);
  const [edited, setEdited] = useState<string>();
  const mayEdit = !session.isReadOnly && place.resource.verbs.includes('update');
  if (edited !== undefined)
    return <ObjectEditor {...{ session, place }} original={edited} onDone={() => setEdited(undefined)} />;
  if (problem !== undefined) return <Failure problem={problem} />;
  return (
    <>
      {mayEdit ? (
        <button type="button" disabled={text === ''} onClick={() => setEdited(text)}>
          Edit
        </button>
      ) : null}
      <pre class="yaml">{text}</pre>
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
