import { useEffect, useState } from 'preact/hooks';
import { type ObjectPlace, readYaml } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { Failure } from './notice.tsx';

export interface ObjectYamlProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  /** The resourceVersion of the object. */
  readonly version: string;
}

/** The object as YAML. Values of secrets are not read before the user asks for them. */
export function ObjectYaml(props: ObjectYamlProps) {
  const { group, resource } = props.place.resource;
  const isSecret = group === '' && resource === 'secrets';
  const [isAskedFor, setAskedFor] = useState(!isSecret);
  return (
    <section aria-labelledby="yaml-title">
      <h2 id="yaml-title">YAML</h2>
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
  const [state, setState] = useState<{ readonly text: string } | { readonly problem: unknown }>({ text: '' });
  const { resource, namespace, name } = place;
  useEffect(() => {
    const left = new AbortController();
    readYaml(session.connection, { resource, namespace, name }, left.signal).then(
      (text) => setState({ text }),
      (problem) => left.signal.aborted || setState({ problem }),
    );
    return () => left.abort();
  }, [session, resource, namespace, name, version]);
  if ('problem' in state) return <Failure problem={state.problem} />;
  return <pre class="yaml">{state.text}</pre>;
}
