import type { Decision, UserInfo } from '../types.ts';

/** The cached decisions on a resource: one for all names, or one for each name that rules list. */
export interface Answers {
  readonly any: Decision;
  readonly named: ReadonlyMap<string, Decision> | undefined;
}

interface UserAnswers {
  generation: number;
  readonly byQuestion: Map<string, Answers>;
}

/** Cached decisions of one user; the decisions of the user are evicted beyond that. */
const MAX_OF_USER = 1024;
/** Decisions about longer attributes are not cached: regular clients do not send them. */
const MAX_LENGTH = 1024;
/** Cached decisions of all users together. */
const MAX_TOTAL = 100_000;

/**
 * Caches decisions while the policy is unchanged. Users are compared by identity: authenticators return the same object
 * for the same credentials for a while, and its decisions are collected together with it.
 */
export class DecisionCache {
  #users = new WeakMap<UserInfo, UserAnswers>();
  #total = 0;

  get(user: UserInfo, generation: number, question: string): Answers | undefined {
    const answers = this.#users.get(user);
    return answers?.generation === generation ? answers.byQuestion.get(question) : undefined;
  }

  set(user: UserInfo, generation: number, question: string, answer: Answers): void {
    if (question.length > MAX_LENGTH) return;
    if (++this.#total > MAX_TOTAL) {
      this.#users = new WeakMap();
      this.#total = 1;
    }
    const answers = this.#users.get(user) ?? { generation, byQuestion: new Map<string, Answers>() };
    this.#users.set(user, answers);
    if (answers.generation !== generation || answers.byQuestion.size >= MAX_OF_USER) {
      answers.byQuestion.clear();
      answers.generation = generation;
    }
    answers.byQuestion.set(question, answer);
  }
}
