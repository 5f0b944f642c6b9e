import type { ApiObject } from '@orch/machinery';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Kinds } from '../api/discovery.ts';
import { type ObjectPlace, pathOf } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { type Dependents, findDependents } from '../object/dependents.ts';
import { Failure } from './notice.tsx';

export interface DeleteDialogProps {
  readonly session: PageSession;
  readonly kinds: Kinds;
  readonly place: ObjectPlace;
  readonly object: ApiObject;
  readonly onClose: () => void;
}

/** Dependents that are named; of more, the dialog gives the number. */
const MAX_NAMES = 20;

/** Deletes an object, after it has shown what else the deletion removes and what will hold it. */
export function DeleteDialog({ session, kinds, place, object, onClose }: DeleteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { group, resource } = place.resource;
  const isNamespace = group === '' && resource === 'namespaces';
  const dependents = useDependents({ session, kinds, object, isNamespace });
  const [orphan, setOrphan] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const onDelete = async (): Promise<void> => {
    const options = {
      propagationPolicy: orphan ? 'Orphan' : 'Background',
      // An object of the same name that was created since is another one.
      preconditions: { uid: object.metadata.uid },
    };
    const request = { method: 'DELETE', target: pathOf(place), contentType: 'application/json' };
    try {
      const signal = AbortSignal.timeout(60_000);
      await session.connection.json({ ...request, body: JSON.stringify(options) }, signal);
      dialog.current?.close();
    } catch (failure) {
      setProblem(failure);
    }
  };
  return (
    <dialog ref={dialog} aria-labelledby="delete-title" onClose={onClose}>
      <h2 id="delete-title">{`Delete ${place.resource.kind} ${place.name}?`}</h2>
      <Holders object={object} />
      <Consequences {...{ dependents, orphan }} />
      {isNamespace || (dependents?.found.length ?? 0) === 0 ? null : (
        <label class="choice">
          <input
            type="checkbox"
            checked={orphan}
            onChange={(event) => setOrphan(event.currentTarget.checked)}
          />
          Keep its dependents, without an owner
        </label>
      )}
      {problem === undefined ? null : <Failure problem={problem} />}
      <p class="buttons">
        <button type="button" disabled={dependents === undefined} onClick={onDelete}>
          Delete
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Keep
        </button>
      </p>
    </dialog>
  );
}

const Holders = ({ object: { metadata } }: { readonly object: ApiObject }) =>
  (metadata.finalizers ?? []).length === 0 ? null : (
    <p>{`It stays until these finalizers are removed: ${metadata.finalizers?.join(', ')}.`}</p>
  );

function Consequences({
  dependents,
  orphan,
}: {
  readonly dependents: Dependents | undefined;
  readonly orphan: boolean;
}) {
  if (dependents === undefined) return <p role="status">Looking for objects that depend on it</p>;
  const { found, unknown } = dependents;
  const held = found.filter(({ finalizers }) => finalizers.length > 0);
  return (
    <div role="status" class="consequences">
      <p>
        {found.length === 0
          ? 'No other object is deleted with it.'
          : orphan
            ? `${found.length} objects keep existing:`
            : `${found.length} more object${found.length === 1 ? ' is' : 's are'} deleted with it:`}
      </p>
      <ul>
        {found.slice(0, MAX_NAMES).map(({ resource, name, finalizers }) => (
          <li key={`${resource.group} ${resource.resource} ${name}`}>
            {`${resource.kind} ${name}${finalizers.length === 0 ? '' : `, held by ${finalizers.join(', ')}`}`}
          </li>
        ))}
        {found.length > MAX_NAMES ? <li>{`and ${found.length - MAX_NAMES} more`}</li> : null}
      </ul>
      {held.length === 0 || orphan ? null : <p>{`${held.length} of them have finalizers.`}</p>}
      {unknown.size === 0 ? null : (
        <details>
          <summary>{`Not known for ${unknown.size} kinds`}</summary>
          <ul>
            {[...unknown].map(([kind, reason]) => (
              <li key={kind}>{`${kind}: ${reason}`}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function useDependents({
  session,
  kinds,
  object,
  isNamespace,
}: Pick<DeleteDialogProps, 'session' | 'kinds' | 'object'> & { readonly isNamespace: boolean }):
  | Dependents
  | undefined {
  const [found, setFound] = useState<Dependents>();
  const { uid } = object.metadata;
  useEffect(() => {
    const left = new AbortController();
    const { connection, names } = session;
    findDependents(object, isNamespace, { connection, names, kinds, signal: left.signal }).then(
      setFound,
      () => undefined,
    );
    return () => left.abort(new DOMException('the dialog was left', 'AbortError'));
  }, [session, kinds, uid, isNamespace]);
  return found;
}
