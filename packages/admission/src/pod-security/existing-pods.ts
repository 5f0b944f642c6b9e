import type { ObjectSource } from '@orch/auth';
import type { Pod } from '@orch/kinds/core';
import type { Clock, Names } from '@orch/machinery';
import { checkedPod } from './checks/check.ts';
import type { Exemptions } from './configuration.ts';
import { type Evaluator, reasonsText } from './evaluator.ts';
import { type LevelVersion, levelText } from './levels.ts';

/** Limits of the evaluation of existing pods: a namespace may have any number of them, while a client waits. */
const MAX_PODS = 3000;
const MAX_DURATION_MS = 1000;

/** Number of pods after which other requests are served. */
const PODS_PER_TURN = 50;

export interface ExistingPodsParts {
  readonly source: ObjectSource;
  readonly names: Names;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly evaluator: Evaluator;
  readonly exemptions: Exemptions;
}

/** The level that a namespace will enforce. */
export interface NewLevel {
  readonly namespace: string;
  readonly enforce: LevelVersion;
  readonly signal: AbortSignal;
}

/**
 * Warnings about the existing pods of a namespace that violate a level, grouped by violation. One pod of each
 * controller is evaluated before the others, because pods of one controller are mostly equal.
 */
export async function existingPodWarnings(
  parts: ExistingPodsParts,
  level: NewLevel,
): Promise<readonly string[]> {
  const review = new Review(parts, level.enforce);
  const keys = parts.source.list('pods', level.namespace).map(({ key }) => key);
  const deadline = parts.clock.monotonic() + MAX_DURATION_MS;
  const evaluate = async (selected: readonly string[], evaluates: (pod: Pod) => boolean): Promise<void> => {
    for (const [i, key] of selected.entries()) {
      if (parts.clock.monotonic() >= deadline || review.evaluated === MAX_PODS) return;
      level.signal.throwIfAborted();
      review.add(key, evaluates);
      if (i % PODS_PER_TURN === PODS_PER_TURN - 1) await nextTurn();
    }
  };
  await evaluate(keys, (pod) => review.isFirstOfController(pod));
  await evaluate(review.postponed, () => true);
  return review.warnings(level, keys.length);
}

/** Handles pending input and output before the caller continues. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Pods that violate the same rules. */
interface Group {
  /** The first by name. */
  readonly name: string;
  readonly count: number;
}

class Review {
  readonly #parts: ExistingPodsParts;
  readonly #enforce: LevelVersion;
  readonly #groups = new Map<string, Group>();
  readonly #controllers = new Set<string>();
  readonly postponed: string[] = [];
  evaluated = 0;
  #exempt = 0;

  constructor(parts: ExistingPodsParts, enforce: LevelVersion) {
    this.#parts = parts;
    this.#enforce = enforce;
  }

  /** Evaluates the current state of a pod now, or postpones it. */
  add(key: string, evaluates: (pod: Pod) => boolean): void {
    const pod = this.#parts.source.find('pods', key)?.read();
    if (pod === undefined) return;
    if (this.#parts.exemptions.runtimeClasses.has(pod.spec?.runtimeClassName ?? '')) this.#exempt++;
    else if (evaluates(pod)) this.#evaluate(pod);
    else this.postponed.push(key);
  }

  isFirstOfController({ metadata: { ownerReferences = [] } }: Pod): boolean {
    const uid = ownerReferences.find(({ controller }) => controller === true)?.uid;
    if (uid === undefined) return true;
    const isFirst = !this.#controllers.has(uid);
    this.#controllers.add(uid);
    return isFirst;
  }

  #evaluate(pod: Pod): void {
    const { evaluator, names } = this.#parts;
    this.evaluated++;
    const reasons = reasonsText(evaluator.evaluate(this.#enforce, checkedPod(pod, names)));
    if (reasons === '') return;
    const { name = '' } = pod.metadata;
    const group = this.#groups.get(reasons) ?? { name, count: 0 };
    const [first = name] = [name, group.name].toSorted();
    this.#groups.set(reasons, { name: first, count: group.count + 1 });
  }

  warnings({ namespace, enforce }: NewLevel, found: number): readonly string[] {
    const total = found - this.#exempt;
    const bound = `new PodSecurity enforce level only checked against the first ${this.evaluated} of ${total} existing pods`;
    const heading = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelText(enforce)}"`;
    const groups = [...this.#groups].map(([reasons, group]) => `${podsText(group)}: ${reasons}`).toSorted();
    return [...(this.evaluated < total ? [bound] : []), ...(groups.length === 0 ? [] : [heading]), ...groups];
  }
}

function podsText({ name, count }: Group): string {
  const others = count - 1;
  if (others === 0) return name;
  return `${name} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}
