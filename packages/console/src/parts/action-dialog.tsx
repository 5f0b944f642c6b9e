import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ObjectPlace } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import type { Action } from '../object/actions.ts';
import { Difference } from './difference.tsx';
import { Failure } from './notice.tsx';
import { type ActionState, useAction } from './use-action.ts';

export interface ActionDialogProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  /** The action as it was when the dialog was opened: what is shown is what is done. */
  readonly action: Action;
  readonly onClose: () => void;
}

/** Shows what an action would change, by a dry run, and carries it out when the user confirms it. */
export function ActionDialog({ session, place, action, onClose }: ActionDialogProps) {
  const { name, about, subresource, number } = action;
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState(number?.value ?? 0);
  const { state, check, carryOut, forget } = useAction(session.connection);
  const onCheck = (): Promise<void> => check({ place, subresource, patch: action.patch(chosen) });
  useLayoutEffect(() => {
    dialog.current?.showModal();
    if (number === undefined) void onCheck();
  }, []);
  useLayoutEffect(() => {
    if (state.kind === 'done') dialog.current?.close();
  }, [state]);
  return (
    <dialog ref={dialog} aria-labelledby="action-title" onClose={onClose}>
      <h2 id="action-title">{`${name} ${place.resource.kind} ${place.name}?`}</h2>
      <p>{about}</p>
      {number === undefined ? null : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void onCheck();
          }}
        >
          <label>
            <span>{number.label}</span>
            <input
              type="number"
              min={0}
              max={2_147_483_647}
              required
              value={chosen}
              onInput={({ currentTarget: { valueAsNumber } }) => {
                setChosen(Number.isNaN(valueAsNumber) ? 0 : valueAsNumber);
                forget();
              }}
            />
          </label>
          <p class="buttons">
            <button type="submit">Check</button>
          </p>
        </form>
      )}
      <Outcome state={state} />
      <p class="buttons">
        <button type="button" disabled={!isChange(state)} onClick={carryOut}>
          {name}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </p>
    </dialog>
  );
}

const isChange = (state: ActionState): boolean => state.kind === 'checked' && state.before !== state.after;

function Outcome({ state }: { readonly state: ActionState }) {
  switch (state.kind) {
    case 'none':
    case 'done':
      return null;
    case 'waiting':
      return <p role="status">The server is asked.</p>;
    case 'refused':
      return <Failure problem={state.problem} />;
    case 'checked':
      return isChange(state) ? (
        <>
          <p role="status">The server accepts it. This changes:</p>
          <Difference original={state.before} changed={state.after} />
        </>
      ) : (
        <p role="status">The server accepts it. It changes nothing.</p>
      );
  }
}
