import { useRef, useState } from 'preact/hooks';
import type { Connection } from '../api/connection.ts';
import { act, type Patch, rehearse } from '../edit/act.ts';
import { useStop } from './use-stop.ts';

/** A patch after its dry run, before the user confirms it. */
export type ActionState =
  | { readonly kind: 'none' | 'waiting' | 'done' }
  /** The patch and its result. Only a patch that was shown can be carried out. */
  | { readonly kind: 'checked'; readonly patch: Patch; readonly before: string; readonly after: string }
  | { readonly kind: 'refused'; readonly problem: unknown };

export interface ActionSteps {
  readonly state: ActionState;
  /** Asks the server what a patch would change. */
  check(patch: Patch): Promise<void>;
  /** Carries out the patch that was checked. */
  carryOut(): Promise<void>;
  /** Forgets what was checked. */
  forget(): void;
}

/** A patch in two steps: a dry run, and the write of the same patch. */
export function useAction(connection: Connection): ActionSteps {
  const [state, setState] = useState<ActionState>({ kind: 'none' });
  const stop = useStop();
  /** The number of the last step: the answer to an earlier one is about what the dialog no longer shows. */
  const last = useRef(0);
  const become = async (work: () => Promise<ActionState>): Promise<void> => {
    const step = ++last.current;
    const show = (next: ActionState): void => {
      if (step === last.current && !stop.aborted) setState(next);
    };
    setState({ kind: 'waiting' });
    try {
      show(await work());
    } catch (problem) {
      show({ kind: 'refused', problem });
    }
  };
  return {
    state,
    check: (patch) =>
      become(async () => {
        const [before, after] = await rehearse(connection, patch, stop);
        return { kind: 'checked', patch, before, after };
      }),
    carryOut: () =>
      become(async () => {
        if (state.kind !== 'checked') return state;
        await act(connection, state.patch, stop);
        return { kind: 'done' };
      }),
    forget() {
      last.current += 1;
      setState({ kind: 'none' });
    },
  };
}
