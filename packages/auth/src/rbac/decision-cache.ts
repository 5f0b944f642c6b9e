import type { Decision, UserInfo } from '../types.ts';

/** What is known of a question about resources: a decision for every name, or for those names that rules speak of. */
export interface Answers {
  readonly any: Decision;
  readonly named: ReadonlyMap<string, Decision> | undefined;
}

interface UserAnswers {
  generation: number;
  readonly byQuestion: Map<string, Answers>;
}

/** Questions of one user that are remembered; then his are forgotten. */
const MAX_OF_USER = 1024;
/** Longer questions are not remembered: nobody asks them who has something to do. */
const MAX_LENGTH = 1024;
/** Questions of all users together. */
const MAX_TOTAL = 100_000;

/**
 * Remembers decisions as long as the policy stays the same. Users are told apart by identity: authenticators give the
 * same object for the same credentials for a while, and what nobody asks with any more is forgotten with it.
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
