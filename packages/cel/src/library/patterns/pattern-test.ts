import { RE2Set } from 're2js';
import type { WorkMeter } from '../../values/equality.ts';
import { StatesMemory } from './states-memory.ts';

/** Memory for the states of one compiled test: beyond it, a string is matched without them. */
const TEST_STATES_BYTES = 256 * 1024;

/** Memory for the states of all tests of the process together. */
const statesMemory = new StatesMemory(64 * 1024 * 1024);

/**
 * Reports whether some part of a string matches, ten to a thousand times as fast as a search: states of the automaton
 * are computed once, and cached.
 */
export interface Test {
  /** Instructions of its program. */
  readonly size: number;
  /** Counts what takes longer than going through the text: new states, and a match without them. */
  test(text: string, meter?: WorkMeter): boolean;
}

/** Compiles a test whose states take at most this number of bytes. Throws the errors of `RE2JS.compile`. */
export function testOf(text: string, statesBytes = TEST_STATES_BYTES, memory = statesMemory): Test {
  const set = new RE2Set(RE2Set.UNANCHORED, 0, statesBytes);
  set.add(text);
  set.compile();
  const size = set.prog.numInst();
  const matched = memory.account(set.dfa);
  const metered = meteredMatches(set.dfa, size);
  return {
    size,
    test(value, meter) {
      try {
        return metered(meter, value, () => set.match(value).length > 0);
      } finally {
        matched();
      }
    },
  };
}

/** Work of determining a state: some for the state, and for each instruction and each class of characters. */
const stateWork = (instructions: number, classes: number): number => 200 + instructions * 12 + classes * 0.6;

/** Work of a match without states, for each character and instruction. */
const STATELESS_WORK = 1.2;

/** Lets the meter of a match count the work of the automaton of the library beyond looking up states. */
function meteredMatches(
  automaton: RE2Set['dfa'],
  size: number,
): <T>(meter: WorkMeter | undefined, text: string, match: () => T) => T {
  let current: { readonly meter: WorkMeter; readonly text: string } | undefined;
  const makeState = automaton.makeState.bind(automaton);
  automaton.makeState = (pcs, flag, ids) => {
    const state: { readonly nfaStates: readonly number[] } | null = makeState(pcs, flag, ids);
    current?.meter.work(stateWork(state?.nfaStates.length ?? size, automaton.numClasses));
    return state;
  };
  const matchSet = automaton.matchSet.bind(automaton);
  automaton.matchSet = (input, pos, anchor) => {
    const found = matchSet(input, pos, anchor);
    // Its states exceed the memory: the library follows all possible matches at once.
    if (found === null) current?.meter.work((current.text.length + 1) * size * STATELESS_WORK);
    return found;
  };
  return (meter, text, match) => {
    current = meter === undefined ? undefined : { meter, text };
    try {
      return match();
    } finally {
      current = undefined;
    }
  };
}
