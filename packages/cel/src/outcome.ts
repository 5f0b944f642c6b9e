import type { Value } from './values/value.ts';

/** The cost and work of an evaluation. `work` includes work that the cost omits, in units of about 10 ns. */
interface Spent {
  readonly cost: number;
  readonly work: number;
}

/** The result of an evaluation, and its cost. */
export type Outcome = Spent &
  (
    | { readonly kind: 'value'; readonly value: Value }
    | { readonly kind: 'error'; readonly message: string }
    /** The cost limit was reached. */
    | { readonly kind: 'limit'; readonly message: string }
  );
