import type { Attributes, Authorizer, Decision, UserInfo } from '@orch/auth';
import type { AccessDecision, AccessQuery } from '@orch/cel';
import type { Names } from '@orch/machinery';
import { accountUser } from '../shared/account-user.ts';

export interface AccessParts {
  readonly authorizer: Authorizer;
  readonly names: Names;
}

/**
 * Interrupts an evaluation that needs the decision of an external authorizer. It is repeated once that is `decided`.
 */
export class PendingDecision {
  readonly decided: Promise<void>;
  constructor(decided: Promise<void>) {
    this.decided = decided;
  }
}

/** The user whose permissions expressions check. */
interface Asker {
  readonly user: UserInfo;
  readonly signal: AbortSignal;
}

/** The decisions of the authorizer for the expressions of one write: each is requested once. */
export class AccessDecisions {
  readonly #parts: AccessParts;
  readonly #asker: Asker;
  readonly #known = new Map<string, AccessDecision | PendingDecision>();

  constructor(parts: AccessParts, asker: Asker) {
    this.#parts = parts;
    this.#asker = asker;
  }

  /** Throws a `PendingDecision` while the answer is not known. */
  of(query: AccessQuery): AccessDecision {
    const key = JSON.stringify(query);
    const known = this.#known.get(key) ?? this.#ask(query, key);
    if (known instanceof PendingDecision) throw known;
    return known;
  }

  #ask(query: AccessQuery, key: string): AccessDecision | PendingDecision {
    const answer = this.#answer(query);
    if (!(answer instanceof Promise)) {
      this.#known.set(key, answer);
      return answer;
    }
    const pending = new PendingDecision(
      answer.then((decision) => {
        this.#known.set(key, decision);
      }),
    );
    this.#known.set(key, pending);
    return pending;
  }

  #answer(query: AccessQuery): AccessDecision | Promise<AccessDecision> {
    const { authorizer, names } = this.#parts;
    const { user, signal } = this.#asker;
    const subject = query.account === undefined ? user : accountUser(query.account, names);
    try {
      const decision = authorizer.authorize(attributesOf(query, subject), { signal });
      return decision instanceof Promise
        ? decision.then(accessDecision, failedDecision)
        : accessDecision(decision);
    } catch (error) {
      return failedDecision(error);
    }
  }
}

function attributesOf(query: AccessQuery, user: UserInfo): Attributes {
  if ('path' in query) return { user, isResource: false, verb: query.verb.toLowerCase(), path: query.path };
  const { account: _account, ...resource } = query;
  return { user, isResource: true, version: '*', ...resource };
}

const accessDecision = ({ verdict, reason }: Decision): AccessDecision => ({
  isAllowed: verdict === 'allow',
  reason,
});

const failedDecision = (error: unknown): AccessDecision => ({
  isAllowed: false,
  reason: '',
  error: error instanceof Error ? error.message : 'the authorizer failed',
});
