import { browserEnv } from '@orch/client/browser';
import type { ApiObject } from '@orch/machinery';
import { useState } from 'preact/hooks';
import type { Kinds } from '../api/discovery.ts';
import type { ObjectPlace } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { type Action, actionsOf } from '../object/actions.ts';
import { ActionDialog } from './action-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { useOpening } from './use-opening.ts';

export interface ObjectActionsProps {
  readonly session: PageSession;
  readonly kinds: Kinds;
  readonly place: ObjectPlace;
  readonly object: ApiObject;
}

/** The actions for an object. Each one is a dry run before it changes anything. */
export function ObjectActions({ session, kinds, place, object }: ObjectActionsProps) {
  const [chosen, setChosen] = useState<Action | 'delete'>();
  const dialog = useOpening();
  const open = (choice: Action | 'delete' | undefined): void => {
    if (choice === undefined) return;
    setChosen(choice);
    dialog.open();
  };
  const { resource } = place;
  const actions = (): readonly Action[] =>
    actionsOf({ resource, object, names: session.names, nowMs: browserEnv().clock.now() });
  return (
    <>
      {!resource.verbs.includes('patch')
        ? null
        : actions().map(({ name }) => (
            <button
              key={name}
              type="button"
              onClick={() => open(actions().find((each) => each.name === name))}
            >
              {name}
            </button>
          ))}
      {resource.verbs.includes('delete') ? (
        <button type="button" onClick={() => open('delete')}>
          Delete
        </button>
      ) : null}
      {chosen === undefined || dialog.number === 0 ? null : chosen === 'delete' ? (
        <DeleteDialog key={dialog.number} {...{ session, kinds, place, object }} onClose={dialog.close} />
      ) : (
        <ActionDialog key={dialog.number} {...{ session, place }} action={chosen} onClose={dialog.close} />
      )}
    </>
  );
}
