import type { Value } from './values/value.ts';

/** What an evaluation took: `work` is what its cost leaves out, in units of about 10 ns. */
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
