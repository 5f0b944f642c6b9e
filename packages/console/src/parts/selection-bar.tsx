import type { DiscoveredResource } from '@orch/client';
import { asObject, asObjects, asText } from '@orch/machinery/json';
import { useEffect, useState } from 'preact/hooks';
import type { PageSession } from '../api/session.ts';
import type { View } from '../view/view.ts';
import { SettledField } from './settled-field.tsx';
import type { Go } from './use-view.ts';

export interface SelectionBarProps {
  readonly session: PageSession;
  readonly resource: DiscoveredResource;
  readonly view: View;
  readonly go: Go;
}

/** Namespaces that are offered; others can be typed. */
const MAX_NAMESPACES = 500;

/** Search, namespace and selectors of a list. */
export function SelectionBar({ session, resource, view, go }: SelectionBarProps) {
  const namespaces = useNamespaces(session);
  return (
    <search>
      <form class="selection" aria-label="Selection" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Search</span>
          <input
            id="search"
            type="search"
            value={view.search}
            placeholder="Words in the rows"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => go({ search: event.currentTarget.value }, 'replace')}
          />
        </label>
        {resource.namespaced ? (
          <SettledField
            name="Namespace"
            value={view.namespace}
            hint="All"
            list="namespaces"
            onSettled={(namespace) => go({ namespace })}
          />
        ) : null}
        <SettledField
          name="Labels"
          value={view.labels}
          hint="app=web,tier!=test"
          onSettled={(labels) => go({ labels })}
        />
        <SettledField
          name="Fields"
          value={view.fields}
          hint="metadata.name=one"
          onSettled={(fields) => go({ fields })}
        />
        <datalist id="namespaces">
          {namespaces.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </form>
    </search>
  );
}

/** The names of namespaces; none where the user may not list them. */
function useNamespaces({ connection }: PageSession): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  useEffect(() => {
    const left = new AbortController();
    const target = `/api/v1/namespaces?limit=${MAX_NAMESPACES}`;
    connection.json({ target }, left.signal).then(
      (list) =>
        setFound(asObjects(asObject(list)['items']).map((one) => asText(asObject(one['metadata'])['name']))),
      // Names can still be typed.
      () => undefined,
    );
    return () => left.abort();
  }, [connection]);
  return found;
}
